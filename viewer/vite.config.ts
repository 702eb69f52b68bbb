import { defineConfig, type Plugin } from 'vite'

/** Puts script and style into the page: the program carries one text, and the page opens from a disk. */
function onePage(): Plugin {
  return {
    name: 'one-page',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = bundle['index.html']
      if (page?.type !== 'asset') throw new Error('there is no index.html')
      let html = String(page.source)
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === 'chunk') {
          const code = file.code.replaceAll('</script', '<\\/script')
          const tag = new RegExp(`<script[^>]*${name}[^>]*></script>`)
          if (!tag.test(html)) throw new Error(`the page does not load ${name}`)
          html = html.replace(tag, '').replace('</body>', () => `<script type="module">${code}</script></body>`)
        } else if (name.endsWith('.css')) {
          const tag = new RegExp(`<link[^>]*${name}[^>]*>`)
          html = html.replace(tag, () => `<style>${file.source}</style>`)
        } else {
          continue
        }
        delete bundle[name]
      }
      page.source = html
    },
  }
}

export default defineConfig({
  plugins: [onePage()],
  // The licences of what is packed in stay with it.
  esbuild: { legalComments: 'inline' },
  build: { target: 'es2022', modulePreload: false, cssCodeSplit: false, chunkSizeWarningLimit: 2000 },
})
