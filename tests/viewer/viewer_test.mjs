// Uses the viewer as a person would, in headless Chromium:  node viewer_test.mjs BULWARK CHROMIUM
// It loads, plays, scrubs, colours, picks a body, draws joints, lists thousands of bodies, follows a run that is going,
// names damaged frames, and does most of that again with a page that carries its run; nothing is reported on the console, no picture is blank,
// and nothing lies over the picture.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const { chromium } = createRequire(join(here, '../../viewer/package.json'))('playwright-core')
const [bulwark, browserProgram] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'bulwark-viewer-'))
const run = join(folder, 'run')
const servers = []

function say(text) {
  console.log(`${(performance.now() / 1000).toFixed(1)} s  ${text}`)
}

/** Starts `bulwark view` and returns its address. */
async function serve(run) {
  const process = spawn(bulwark, ['view', run, '--no-browser', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  servers.push(process)
  return new Promise((resolve, reject) => {
    process.on('exit', (code) => reject(new Error(`bulwark view ended with ${code}`)))
    process.stdout.on('data', (text) => {
      const address = /http:\S+/.exec(String(text))
      if (address) resolve({ address: address[0], process })
    })
  })
}

/** A page whose every complaint is collected. */
async function open(browser, address, options = {}, sign = '#app[data-drawn]') {
  const context = await browser.newContext({ viewport: { width: 900, height: 640 }, colorScheme: 'light', ...options })
  const page = await context.newPage()
  const complaints = []
  const requests = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`))
  page.on('request', (request) => requests.push(request.url()))
  await page.goto(address)
  await page.waitForSelector(sign)
  return { page, complaints, requests, close: () => context.close() }
}

const drawn = (page) => page.$eval('#app', (app) => Number(app.dataset.drawn))
const waitForFrame = (page, index) => page.waitForSelector(`#app[data-drawn="${index}"]`)

/** How many different colours the middle of the picture has, and the picture itself. */
async function look(page) {
  const png = await page.screenshot({ clip: { x: 40, y: 80, width: 500, height: 300 } })
  const colors = await page.evaluate(async (data) => {
    const image = new Image()
    image.src = `data:image/png;base64,${data}`
    await image.decode()
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
    const context = canvas.getContext('2d')
    context.drawImage(image, 0, 0)
    const pixels = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer)
    return new Set(pixels).size
  }, png.toString('base64'))
  return { colors, png }
}

async function expectPicture(page, what) {
  const { colors, png } = await look(page)
  assert.ok(colors > 200, `${what}: the picture is blank (${colors} colours)`)
  return png
}

/** What stands beside the picture covers none of it, and is on the screen. */
async function expectNothingOverPicture(page, parts) {
  const screen = page.viewportSize()
  const picture = await page.locator('.picture').boundingBox()
  assert.ok(picture.width > 0.5 * screen.width && picture.height > 120, `the picture is ${picture.width} x ${picture.height}`)
  for (const part of parts) {
    const box = await page.locator(part).boundingBox()
    assert.ok(box && box.width > 0 && box.height > 0, `${part} is not shown`)
    const apart =
      box.x >= picture.x + picture.width - 0.5 ||
      box.x + box.width <= picture.x + 0.5 ||
      box.y >= picture.y + picture.height - 0.5 ||
      box.y + box.height <= picture.y + 0.5
    assert.ok(apart, `${part} lies over the picture`)
    assert.ok(
      box.x >= -0.5 && box.y >= -0.5 && box.x + box.width <= screen.width + 0.5 && box.y + box.height <= screen.height + 0.5,
      `${part} leaves the screen`,
    )
  }
}

/** What a page can do, with a server and without. */
async function usePage(page, frames) {
  assert.match(await page.textContent('h1'), /Box & ball <test>/)
  assert.equal(await page.textContent('.frame-number'), `1 / ${frames}`)
  const first = await expectPicture(page, 'first frame')

  await page.keyboard.press('Space')
  await page.waitForFunction(() => Number(document.getElementById('app').dataset.drawn) > 3)
  await page.keyboard.press('Space')
  say('plays')

  await page.locator('.transport input[type=range]').fill('18')
  await waitForFrame(page, 18)
  assert.equal(await page.textContent('.clock'), '0.360 s')
  const later = await expectPicture(page, 'frame 18')
  assert.ok(!first.equals(later), 'another frame looks the same')
  await page.keyboard.press('ArrowRight')
  await waitForFrame(page, 19)
  await page.keyboard.press('Home')
  await waitForFrame(page, 0)
  const plot = await page.locator('.chart canvas').first().boundingBox()
  await page.mouse.click(plot.x + plot.width - 9, plot.y + 20)
  await waitForFrame(page, frames - 1)
  say('scrubs, by slider, keys and plot')

  assert.match(await page.locator('.chart-legend').first().textContent(), /total.*\d J/)

  await page.click('[data-body="3"]')
  await page.waitForFunction(() => document.querySelectorAll('.selected dd').length >= 5)
  assert.match(await page.textContent('.selected header'), /ball, small.*deformable/)
  await page.keyboard.press('Escape')
  assert.ok(await page.locator('.selected').isHidden())
  // The box covers the middle of the picture.
  const stage = await page.locator('.picture').boundingBox()
  await page.mouse.click(stage.x + stage.width / 2 - 12, stage.y + 0.6 * stage.height)
  await page.waitForFunction(() => document.querySelectorAll('.selected dd').length >= 5)
  assert.match(await page.textContent('.selected header'), /box/)
  assert.match(await page.textContent('.selected dl'), /Contact force[\d.]+ k?N/)
  assert.match(await page.textContent('.probe'), /Point\d+ of box.*At, m/)
  say('picks a body, tells its state and a point of it')

  const whole = (await look(page)).png
  await page.selectOption('.inspection select', 'y')
  await page.locator('.cut-place').fill('500')
  assert.match(await page.textContent('.cut'), /y = −?[\d.]+ m/)
  await page.waitForTimeout(300)
  const cut = (await look(page)).png
  assert.ok(!whole.equals(cut), 'the cut is not drawn')
  await page.selectOption('.inspection select', '')
  await page.locator('.deformation-scale').fill('3')
  await page.waitForTimeout(500)
  assert.match(await page.textContent('.inspection label'), /× 2/)
  assert.ok(!whole.equals((await look(page)).png), 'displacements are not drawn larger')
  await page.locator('.deformation-scale').fill('2')
  await page.waitForTimeout(300)
  say('cuts, scales displacements')

  for (const [key, legend] of [
    ['2', 'Speed'],
    ['3', 'Von Mises stress'],
    ['4', 'Contact force'],
  ]) {
    await page.keyboard.press(key)
    await page.waitForFunction((title) => document.querySelector('.legend-title')?.textContent === title, legend)
    await expectPicture(page, legend)
    assert.match(await page.textContent('.scale-end'), /≥ [\d.]+ /)
    await page.waitForFunction(() => /to .*\d (k|M|m|µ|n)?(m\/s|Pa|N)$/.test(document.querySelector('.frame-range').textContent))
  }
  await expectNothingOverPicture(page, ['.heading', '.tools', '.panel', '.legend', '.dock'])
  await useOtherFields(page)
  await page.keyboard.press('1')
  await page.waitForSelector('.legend', { state: 'hidden' })
  await page.waitForTimeout(300) // the picture takes the room of the legend
  const bare = (await look(page)).png
  await page.keyboard.press('c')
  await page.waitForFunction(() => document.querySelector('.check input').checked)
  await page.waitForTimeout(300)
  assert.ok(!bare.equals((await look(page)).png), 'contacts are not drawn')
  await expectNothingOverPicture(page, ['.heading', '.tools', '.panel', '.arrow-scale', '.dock'])
  await useArrowScale(page)
  await page.keyboard.press('m')
  await page.keyboard.press('t')
  await expectPicture(page, 'dark, with mesh and contacts')
  await page.keyboard.press('?')
  assert.ok(await page.locator('.help').isVisible())
  await page.keyboard.press('Escape')
  say('colours, contacts, mesh, dark')
}

/** Fields that have no button of their own: with their units, and with a scale around zero where they have a sign. */
async function useOtherFields(page) {
  const offered = await page.$$eval('.more-fields option', (all) => all.map((option) => option.value))
  for (const name of ['velocity_x', 'stress_zz', 'principal_stress_2', 'strain_xz', 'contact_traction'])
    assert.ok(offered.includes(name), `${name} is not offered: ${offered}`)
  assert.ok(!offered.some((name) => name.startsWith('second_stress')), 'a field is offered that no frame has')
  const shown = new Set()
  for (const [name, legend, value] of [
    ['stress_yy', 'Stress yy', /−?[\d.]+ (k|M|m|µ|n)?Pa$/],
    ['principal_stress_3', 'Smallest principal stress', /−?[\d.]+ (k|M|m|µ|n)?Pa$/],
    ['strain_yy', 'Strain yy', /−?[\d.]+( e−?\d+)?$/],
    ['energy_density', 'Strain energy per volume', /[\d.]+ (k|M|m|µ|n)?J\/m\^3$/],
    ['velocity_y', 'Velocity along y', /−?[\d.]+ (k|M|m|µ|n)?m\/s$/],
  ]) {
    await page.selectOption('.more-fields', name)
    await page.waitForFunction((title) => document.querySelector('.legend-title')?.textContent === title, legend)
    await page.waitForFunction(() => /to /.test(document.querySelector('.frame-range').textContent))
    assert.match(await page.textContent('.frame-range'), value)
    const [low, middle] = await page.$$eval('.ramp-ends span', (all) => all.map((end) => end.textContent))
    if (name === 'energy_density') assert.equal(low, '0 J/m^3')
    else assert.ok(/^≤ −[\d.]/.test(low) && middle.startsWith('0'), `${name} goes from ${low} over ${middle}`)
    await page.waitForTimeout(200)
    shown.add((await expectPicture(page, legend)).toString('base64'))
  }
  assert.equal(shown.size, 5, 'different fields look the same')
  await page.keyboard.press('2')
  await page.waitForFunction(() => document.querySelector('.more-fields').value === '')
  say('colours by fields of the list')
}

/** Arrows in the legend mean round forces, longer ones more, and grow with what the picture shows. */
async function useArrowScale(page) {
  const arrows = () =>
    page.$$eval('.arrow', (all) => all.map((a) => [a.textContent, a.querySelector('i').getBoundingClientRect().width]))
  const before = await arrows()
  assert.ok(before.length >= 1)
  for (const [text] of before) assert.match(text, /^[125]0* (k|M|m|µ|n)?N$/)
  const newtons = (text) => parseFloat(text) * { k: 1e3, M: 1e6, m: 1e-3, µ: 1e-6, n: 1e-9 }[text.at(-2)] || parseFloat(text)
  if (before.length > 1) {
    const [[far, long], [near, short]] = before
    assert.ok(long > short && newtons(far) > newtons(near))
  }
  // Nearer by the wheel: the same force is a longer arrow, or a smaller force stands there.
  const stage = await page.locator('.picture').boundingBox()
  await page.mouse.move(stage.x + stage.width / 2, stage.y + stage.height / 2)
  for (let i = 0; i < 4; ++i) await page.mouse.wheel(0, -120)
  await page.waitForTimeout(500)
  const after = await arrows()
  const pixels = ([text, width]) => width / Math.sqrt(newtons(text)) // lengths go by the square root of the force
  assert.ok(pixels(after[0]) > 1.05 * pixels(before[0]), `${after} after ${before}`)
  await page.keyboard.press('f')
}

/** A scene of thousands of bodies, shown without a run: the list has a row for each, few of them at a time. */
async function manyBodies(browser) {
  const scene = join(folder, 'many.json')
  const count = [20, 10, 15]
  writeFileSync(
    scene,
    JSON.stringify({
      bulwark: 1,
      title: 'Many',
      time: { step: 0.01, steps: 1 },
      bodies: [
        { name: 'ground', kind: 'obstacle', shape: { plane: { normal: [0, 1, 0] } } },
        {
          name: 'box',
          kind: 'affine',
          material: { model: 'affine', density: 1000 },
          shape: { box: [0.3, 0.3, 0.3] },
          position: [0, 0.2, 0],
          repeat: { count, spacing: [0.4, 0.4, 0.4] },
        },
      ],
    }),
  )
  const { address } = await serve(scene)
  const { page, complaints, close } = await open(browser, address)
  assert.match(await page.textContent('.body-section h2'), /3,001/)
  assert.equal(await page.textContent('.frame-number'), '1 / 1')
  const rows = () => page.$$eval('.bodies li', (all) => all.map((row) => row.textContent))
  const swatches = () => page.$$eval('.bodies i', (all) => all.map((i) => [i.parentElement.textContent, i.style.background]))
  const scroll = (top) => page.$eval('.bodies', (list, to) => (list.scrollTop = to), top)
  const colors = new Map()
  for (let top = 0; top < 48 * 27; top += 200) {
    await scroll(top)
    await page.waitForTimeout(60)
    for (const [name, color] of await swatches()) colors.set(name, color)
  }
  const first = [...colors.entries()].filter(([name]) => name !== 'ground').slice(0, 40)
  assert.equal(new Set(first.map(([, color]) => color)).size, 40, 'forty bodies have forty colours')
  await scroll(1e9)
  await page.waitForFunction(() => [...document.querySelectorAll('.bodies li')].at(-1).textContent === 'box[19,9,14]')
  assert.ok((await rows()).length < 60, 'rows that nobody sees are not made')
  await page.click('[data-body="3000"]')
  await page.waitForSelector('.selected:not([hidden])')
  assert.match(await page.textContent('.selected header'), /box\[19,9,14\]/)
  await page.fill('input[type=search]', '[7,7,')
  await page.waitForFunction(() => document.querySelectorAll('.bodies li').length > 0)
  assert.match(await page.textContent('.body-section h2'), /15 of 3,001/)
  assert.match((await rows())[0], /box\[7,7,0\]/)
  assert.deepEqual(complaints, [])
  await close()
  say('lists thousands of bodies; shows the start of a scene')
}

/** The run again as if it were going: frames come one after another. */
async function followRun(browser) {
  const going = join(folder, 'going')
  const steps = readFileSync(join(run, 'steps.csv'), 'utf8').split('\n')
  const summary = JSON.parse(readFileSync(join(run, 'summary.json')))
  mkdirSync(join(going, 'frames'), { recursive: true })
  const frames = readdirSync(join(run, 'frames')).sort()
  const tell = (count, state) => {
    for (const name of frames.slice(0, count)) copyFileSync(join(run, 'frames', name), join(going, 'frames', name))
    writeFileSync(join(going, 'steps.csv'), steps.slice(0, count).join('\n') + '\n')
    writeFileSync(join(going, 'summary.json'), JSON.stringify({ ...summary, state }))
  }
  tell(5, 'running')
  const { address } = await serve(going)
  const { page, complaints, close } = await open(browser, address)
  await waitForFrame(page, 4)
  assert.ok(await page.locator('.live.on').isVisible())
  tell(9, 'running')
  await waitForFrame(page, 8)
  await page.keyboard.press('Home')
  await waitForFrame(page, 0)
  tell(12, 'done')
  await page.waitForSelector('.state.done')
  assert.equal(await page.textContent('.frame-number'), '1 / 12')
  assert.equal(await drawn(page), 0)
  assert.deepEqual(complaints, [])
  await close()
  say('follows a run that is going')
}

/** Frames that are damaged are named in their place; the others are shown. */
async function damagedFrames(browser) {
  const damaged = join(folder, 'damaged')
  cpSync(run, damaged, { recursive: true })
  const frames = readdirSync(join(damaged, 'frames')).sort()
  for (const index of [0, 3]) writeFileSync(join(damaged, 'frames', frames[index]), 'damaged')
  const { address } = await serve(damaged)
  const { page, close } = await open(browser, address, {}, '.notice:not([hidden])')
  assert.match(await page.textContent('.notice'), /Frame of step 0: .*damaged/)
  await page.keyboard.press('ArrowRight')
  await waitForFrame(page, 1)
  assert.ok(await page.locator('.notice').isHidden())
  await expectPicture(page, 'the frame after a damaged one')
  await page.locator('.transport input[type=range]').fill('3')
  await page.waitForSelector('.notice:not([hidden])')
  await page.keyboard.press('ArrowRight')
  await waitForFrame(page, 4)
  await close()
  say('shows the frames beside damaged ones')
}

/** Joints of a pendulum, seen from where the scene's camera is: straight from the front, 6 m away. */
async function useJoints(page) {
  await page.keyboard.press('p') // without plots the picture is as wide as it can be
  await page.keyboard.press('b')
  await waitForFrame(page, 0)
  const bare = (await look(page)).png
  await page.keyboard.press('j')
  await page.waitForFunction(() => document.querySelectorAll('.check input')[1].checked)
  await page.waitForTimeout(300)
  const first = (await look(page)).png
  assert.ok(!bare.equals(first), 'joints are not drawn')
  // The camera looks at the shoulder, so it is in the middle; the elbow is 1 m to the right of it.
  const stage = await page.locator('.picture').boundingBox()
  const middle = { x: stage.x + stage.width / 2, y: stage.y + stage.height / 2 }
  const pixelsPerMetre = stage.height / (2 * Math.tan((30 * Math.PI) / 180) * 6)
  await page.mouse.move(middle.x + 1, middle.y - 1)
  await page.waitForFunction(() => document.querySelector('.tip').textContent === 'shoulder: hinge of upper and world')
  await page.mouse.move(middle.x + pixelsPerMetre, middle.y)
  await page.waitForFunction(() => document.querySelector('.tip').textContent === 'elbow: point of lower and upper')
  await page.mouse.move(middle.x + 2.5 * pixelsPerMetre, middle.y)
  assert.ok(await page.locator('.tip').isHidden())
  await page.keyboard.press('End')
  await waitForFrame(page, 20)
  await page.waitForTimeout(300)
  assert.ok(!first.equals((await look(page)).png), 'joints stay where they were')
  // The whole scene, and back to the scene's own view.
  const own = (await look(page)).png
  await page.keyboard.press('f')
  await page.waitForTimeout(300)
  assert.ok(!own.equals((await look(page)).png), 'the fitted view is that of the camera')
  await page.keyboard.press('v')
  await page.waitForTimeout(300)
  assert.ok(own.equals((await look(page)).png), 'the view of the scene file is not found again')
  say('draws joints, names them, looks from the scene file\'s camera')
}

async function jointsOfPendulum(browser) {
  const pendulum = join(folder, 'pendulum')
  execFileSync(bulwark, ['run', join(here, 'pendulum.json'), '-o', pendulum], { stdio: ['ignore', 'ignore', 'inherit'] })
  const file = join(folder, 'pendulum.html')
  execFileSync(bulwark, ['view', pendulum, '--html', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  for (const address of [(await serve(pendulum)).address, pathToFileURL(file).href]) {
    const { page, complaints, close } = await open(browser, address)
    await useJoints(page)
    assert.deepEqual(complaints, [])
    await close()
  }
}

async function narrowScreen(browser, address) {
  const { page, complaints, close } = await open(browser, address, { viewport: { width: 360, height: 640 } })
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  assert.ok(width <= 360, `the page is ${width} pixels wide on a screen of 360`)
  assert.ok(await page.locator('.panel').isHidden())
  await page.click('button[aria-label^="Panel"]')
  assert.ok(await page.locator('.panel').isVisible())
  await expectNothingOverPicture(page, ['.heading', '.tools', '.panel', '.dock'])
  await page.click('button[aria-label^="Panel"]')
  await page.keyboard.press('2')
  await page.keyboard.press('c')
  await page.keyboard.press('End')
  await page.waitForSelector('.arrow')
  await page.waitForSelector('.legend:not([hidden])')
  await expectNothingOverPicture(page, ['.heading', '.tools', '.legend', '.arrow-scale', '.dock'])
  assert.deepEqual(complaints, [])
  await close()
  say('fits a narrow screen')
}

const browser = await chromium.launch({
  executablePath: browserProgram,
  args: [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--use-gl=angle',
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
  ],
})
try {
  execFileSync(bulwark, ['run', join(here, 'scene.json'), '-o', run], { stdio: ['ignore', 'ignore', 'inherit'] })
  const frames = readdirSync(join(run, 'frames')).length

  const { address, process: server } = await serve(run)
  const served = await open(browser, address)
  say('loads')
  await usePage(served.page, frames)
  assert.deepEqual(served.complaints, [])
  const asked = (field) => served.requests.some((url) => new RegExp(`/frame/\\d+/${field}$`).test(url))
  assert.ok(asked('strain_yy') && !asked('strain_xz'), 'fields come when they are chosen')
  await served.close()

  await narrowScreen(browser, address)
  await jointsOfPendulum(browser)
  await manyBodies(browser)
  await followRun(browser)
  await damagedFrames(browser)

  const file = join(folder, 'page.html')
  execFileSync(bulwark, ['view', run, '--html', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  const alone = await open(browser, pathToFileURL(file).href)
  say('the page that carries its run loads')
  await usePage(alone.page, frames)
  assert.deepEqual(alone.complaints, [])
  const elsewhere = alone.requests.filter((url) => !/^(file|blob|data):/.test(url))
  assert.deepEqual(elsewhere, [], 'the page asks for more than itself')
  await alone.close()

  const ended = new Promise((resolve) => server.on('exit', resolve))
  server.kill('SIGINT')
  assert.equal(await ended, 0)
  say('all is well')
} finally {
  await browser.close()
  for (const server of servers) server.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}
