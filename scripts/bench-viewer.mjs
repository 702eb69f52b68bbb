// How fast a run is on the screen, and what memory it takes, in headless Chromium:
//     node scripts/bench-viewer.mjs BULWARK RUN_FOLDER [CHROMIUM]
// Prints the time from the request for the page to the first picture (three times, each with a new server), then plays the
// whole run once and prints the most memory (resident) that the page's process, the browser's drawing process and the
// server took. Without a graphics card the drawing process is a renderer in software. Says how busy the machine was.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { loadavg } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const { chromium } = createRequire(join(here, '../viewer/package.json'))('playwright-core')
const [bulwark, run, browserProgram = '/usr/bin/chromium'] = process.argv.slice(2)
const trials = 3

async function serve() {
  const server = spawn(bulwark, ['view', run, '--no-browser', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const address = await new Promise((resolve, reject) => {
    server.on('exit', (code) => reject(new Error(`bulwark view ended with ${code}`)))
    server.stdout.on('data', (text) => {
      const found = /http:\S+/.exec(String(text))
      if (found) resolve(found[0])
    })
  })
  return { server, address }
}

/** Megabytes that a process holds. */
function memoryOf(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1000
  } catch {
    return 0
  }
}

/** The processes below one, with their command lines. */
function descendants(root) {
  const children = new Map()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
      children.set(parent, [...(children.get(parent) ?? []), Number(name)])
    } catch {
      continue // it has ended
    }
  }
  const found = []
  for (const todo = [root]; todo.length > 0; ) {
    for (const child of children.get(todo.pop()) ?? []) {
      todo.push(child)
      try {
        found.push({ pid: child, command: readFileSync(`/proc/${child}/cmdline`, 'utf8') })
      } catch {
        continue
      }
    }
  }
  return found
}

async function launch() {
  return chromium.launch({
    executablePath: browserProgram,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--use-gl=angle', '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader', '--disable-background-networking', '--no-first-run'],
  })
}

async function open(browser, address) {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage()
  await page.goto(address)
  await page.waitForSelector('#app[data-drawn]', { timeout: 120_000 })
  await page.waitForFunction(() => performance.getEntriesByName('first picture').length > 0)
  const first = await page.evaluate(() => performance.getEntriesByName('first picture')[0].startTime)
  return { page, first }
}

console.log(`load of the machine: ${loadavg().map((load) => load.toFixed(1)).join(', ')}`)
for (let trial = 0; trial < trials; ++trial) {
  const { server, address } = await serve()
  const browser = await launch()
  const { page, first } = await open(browser, address)
  console.log(`first picture after ${(first / 1000).toFixed(2)} s`)
  if (trial === trials - 1) {
    const frames = Number((await page.textContent('.frame-number')).split('/')[1])
    await page.locator('select').selectOption({ label: '1×' })
    await page.keyboard.press('Space')
    const most = { page: 0, drawing: 0, server: 0 }
    const begin = performance.now()
    for (let shown = 0, seen = 0; seen < frames - 1 && performance.now() - begin < 300_000; ) {
      await page.waitForTimeout(100)
      const now = await page.$eval('#app', (app) => Number(app.dataset.drawn))
      if (now < shown) break // it began anew
      seen = shown = now
      const processes = descendants(process.pid)
      const largest = (type) =>
        Math.max(0, ...processes.filter((p) => p.command.includes(`--type=${type}`)).map((p) => memoryOf(p.pid)))
      most.page = Math.max(most.page, largest('renderer'))
      most.drawing = Math.max(most.drawing, largest('gpu-process'))
      most.server = Math.max(most.server, memoryOf(server.pid))
    }
    console.log(`played ${frames} frames in ${((performance.now() - begin) / 1000).toFixed(0)} s`)
    console.log(`most memory: page ${most.page.toFixed(0)} MB, drawing ${most.drawing.toFixed(0)} MB, ` +
      `server ${most.server.toFixed(0)} MB`)
  }
  await browser.close()
  server.removeAllListeners('exit')
  server.kill('SIGINT')
}
console.log(`load of the machine: ${loadavg().map((load) => load.toFixed(1)).join(', ')}`)
