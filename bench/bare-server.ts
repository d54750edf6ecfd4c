/** The floor of serving: a server without rights or items that sends the same bytes as fast as Bun can. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Serves a text as `/list` and the files of a directory as `/thumbnail/N`; prints its port. */
function serve(listPath: string, thumbnails: string) {
  const files = readdirSync(thumbnails).map(name => join(thumbnails, name))
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    routes: {
      '/list': async () =>
        new Response(await Bun.file(listPath).text(), { headers: { 'Content-Type': 'application/json' } }),
      '/thumbnail/:n': request => new Response(Bun.file(files[Number(request.params.n)] ?? '')),
    },
  })
  console.log(server.port)
}

if (import.meta.main) serve(process.argv[2] ?? '', process.argv[3] ?? '')
