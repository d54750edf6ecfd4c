/** For the bundles of `npm run dev`: addresses of the server's own files in index.html stay as they are. */
import type { BunPlugin } from 'bun'

const plugin: BunPlugin = {
  name: 'keep-addresses',
  setup(build) {
    build.onResolve({ filter: /(favicon\.svg|apple-touch-icon\.png|manifest\.webmanifest)$/ }, ({ path }) => ({
      path: `/${path.split('/').at(-1)}`,
      external: true,
    }))
  },
}
// biome-ignore lint/style/noDefaultExport: Bun takes a plugin of bunfig.toml so
export default plugin
