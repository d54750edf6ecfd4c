/** Keeps the addresses of the server's own files in index.html unchanged when `npm run dev` bundles the pages. */
import type { BunPlugin } from 'bun'

const plugin: BunPlugin = {
  name: 'keep-addresses',
  setup(build) {
    build.onResolve(
      { filter: /(\/first\.js|favicon\.svg|apple-touch-icon\.png|manifest\.webmanifest)$/ },
      ({ path }) => ({
        path: `/${path.split('/').at(-1)}`,
        external: true,
      }),
    )
  },
}
// biome-ignore lint/style/noDefaultExport: Bun requires it of a plugin in bunfig.toml
export default plugin
