import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { terminalViewer } from '../../core/accounts/access.ts'
import { filmPath } from '../../core/items/transcode-job.ts'
import { job as jobShape } from '../../schema/api/jobs.ts'
import { channels } from '../../schema/realtime.ts'
import { videoTools } from '../core/media/decoding.ts'
import { runCommand } from '../support/command.ts'
import { openLibraryWithServer } from '../support/library-with-server.ts'
import { waitUntil } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const tools = videoTools()

/** Creates a film of a test picture and a tone; `output` has the encoding of both. */
function film(path: string, seconds: number, ...output: string[]): void {
  const input = ['-f', 'lavfi', '-i', `testsrc=s=160x120:r=25:d=${seconds}`, '-f', 'lavfi', '-i', `sine=d=${seconds}`]
  const ffmpeg = Bun.spawnSync([tools?.ffmpeg ?? '', '-v', 'error', ...input, ...output, '-y', `file:${path}`])
  if (ffmpeg.exitCode !== 0) throw new Error(ffmpeg.stderr.toString())
}

/**
 * A script around ffmpeg that logs when a conversion starts and ends. While the file `slow` exists, ffmpeg reads films
 * only as fast as they play, so that tests can watch and cancel a conversion.
 */
function watchedFfmpeg(directory: string) {
  const at = (name: string) => join(directory, name)
  writeFileSync(
    at('ffmpeg'),
    `#!/bin/sh
case "$*" in
*-progress*)
  echo begin >> '${at('log')}'
  if [ -e '${at('slow')}' ]; then
    echo $$ > '${at('pid')}.new'; mv '${at('pid')}.new' '${at('pid')}'
    exec '${tools?.ffmpeg}' -re "$@"
  fi
  '${tools?.ffmpeg}' "$@"
  code=$?
  echo end >> '${at('log')}'
  exit $code
  ;;
esac
exec '${tools?.ffmpeg}' "$@"
`,
  )
  chmodSync(at('ffmpeg'), 0o755)
  return { path: at('ffmpeg'), log: at('log'), slow: at('slow'), pid: at('pid') }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Hashes of the packets of a film's streams: the same if nothing was encoded again. */
function packetHashes(path: string, ...filter: string[]): string {
  const command = [
    '-v',
    'error',
    '-i',
    path,
    '-map',
    '0:V',
    '-map',
    '0:a',
    '-c',
    'copy',
    ...filter,
    '-f',
    'streamhash',
    '-',
  ]
  return Bun.spawnSync([tools?.ffmpeg ?? '', ...command]).stdout.toString()
}

function codecs(path: string): string[] {
  const query = ['-show_entries', 'stream=codec_name', '-of', 'default=nokey=1:noprint_wrappers=1']
  const output = Bun.spawnSync([tools?.ffprobe ?? '', '-v', 'error', ...query, path]).stdout.toString()
  return output.split('\n').filter(line => line !== '')
}

const busy = z.object({ current: z.object({ job: z.int() }) })

/** A library of films on its own server; `config` is its config.toml. */
async function openFilmServer(
  films: Record<string, [seconds: number, ...string[]]>,
  config: (directory: string) => string,
) {
  const workspace = await openLibraryWithServer()
  const root = join(temporaryDirectory(), 'films')
  mkdirSync(root)
  writeFileSync(join(workspace.data, 'config.toml'), config(temporaryDirectory()))
  for (const [name, [seconds, ...output]] of Object.entries(films)) film(join(root, name), seconds, ...output)
  const { library } = workspace
  const { row } = await library.collections.resolve(terminalViewer, root, { create: true })
  await library.jobs.run(
    await library.jobs.enqueue(terminalViewer, 'scan', { collectionId: row.id }, { inProcess: true }),
  )
  const viewer = await workspace.user('viewer')
  await workspace.giveRight(row.id, viewer.id)
  const itemOf = (name: string) => {
    const found = library.db.get<{ id: number; content: string }>('SELECT id, content FROM items WHERE name = ?', name)
    if (found === null) throw new Error(`there is no ${name}`)
    return found
  }
  const stream = async (name: string, headers: Record<string, string> = {}, token = viewer.token) =>
    fetch(`${await workspace.address()}/v1/item/${itemOf(name).id}/stream`, {
      headers: { authorization: `Bearer ${token}`, ...headers },
    })
  return {
    ...workspace,
    root,
    collectionId: row.id,
    viewer,
    stream,
    converted: (name: string) => filmPath(library.cache, itemOf(name).content),
    unfinished: () => readdirSync(join(library.cache, 'renditions', 'tmp')),
    /** Starts the conversion of a film without waiting for it; returns the job. */
    async convert(name: string): Promise<number> {
      const response = await stream(name, { prefer: 'wait=0' })
      expect([name, response.status]).toEqual([name, 503])
      return busy.parse(await response.json()).current.job
    },
    ended: (id: number) =>
      waitUntil(async () => {
        const row = library.jobs.row(id)
        return row !== null && row.finishedAt !== null ? row : null
      }),
  }
}

const mpeg2 = ['-c:v', 'mpeg2video', '-c:a', 'mp2', '-f', 'mpeg']
const mpeg4 = ['-c:v', 'mpeg4', '-c:a', 'mp3']

if (tools === null) test.skip('film conversion, as ffmpeg is not installed', () => {})
else {
  describe('film conversion', () => {
    let watched: ReturnType<typeof watchedFfmpeg>
    let workspace: Awaited<ReturnType<typeof openFilmServer>>
    beforeAll(async () => {
      workspace = await openFilmServer(
        {
          'a.mpg': [2, ...mpeg2],
          'b.avi': [2, ...mpeg4],
          'c.mkv': [2, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
          'pcm.mov': [2, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'pcm_s16le'],
          'told.avi': [40, ...mpeg4],
          'stopped.avi': [40, ...mpeg4, '-vf', 'negate'],
          'stopped-too.avi': [40, ...mpeg4, '-vf', 'hflip'],
        },
        directory => {
          watched = watchedFfmpeg(directory)
          return `ffmpeg = "${watched.path}"\n`
        },
      )
      await workspace.address()
    }, 60_000)
    afterAll(() => workspace?.close())

    test('several films that are requested at once are converted one after the other', async () => {
      const names = ['a.mpg', 'b.avi', 'c.mkv', 'pcm.mov']
      const jobs = await Promise.all(names.map(workspace.convert))
      const rows = await Promise.all(jobs.map(workspace.ended))
      expect(rows.map(({ state }) => state)).toEqual(names.map(() => 'done'))
      const inTurn = rows.sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0))
      for (const [n, row] of inTurn.slice(1).entries()) {
        expect(row.startedAt ?? 0).toBeGreaterThanOrEqual(inTurn[n]?.finishedAt ?? Number.POSITIVE_INFINITY)
      }
      expect(readFileSync(watched.log, 'utf8')).toBe('begin\nend\n'.repeat(names.length))
      expect(workspace.unfinished()).toEqual([])
      for (const name of names) {
        const response = await workspace.stream(name, { range: 'bytes=4-7' })
        expect([name, response.status, response.headers.get('content-type')]).toEqual([name, 206, 'video/mp4'])
        expect(await response.text()).toBe('ftyp')
      }
    }, 60_000)

    test('streams that browsers play are copied, all others are converted to H.264 and AAC', () => {
      expect(packetHashes(workspace.converted('c.mkv'), '-bsf:v', 'h264_mp4toannexb')).toBe(
        packetHashes(join(workspace.root, 'c.mkv'), '-bsf:v', 'h264_mp4toannexb'),
      )
      for (const name of ['a.mpg', 'b.avi', 'c.mkv', 'pcm.mov']) {
        expect([name, ...codecs(workspace.converted(name))]).toEqual([name, 'h264', 'aac'])
      }
      expect(codecs(join(workspace.root, 'a.mpg'))).toEqual(expect.arrayContaining(['mpeg2video', 'mp2']))
      const pictures = (path: string) => packetHashes(path, '-bsf:v', 'h264_mp4toannexb').split('\n')[0]
      expect(pictures(workspace.converted('pcm.mov'))).toBe(pictures(join(workspace.root, 'pcm.mov')))
    })

    test('only the user who requested a film receives its progress', async () => {
      writeFileSync(watched.slow, '')
      const job = await workspace.convert('told.avi')
      const client = await workspace.connect(workspace.viewer.token)
      const stranger = await workspace.user('stranger')
      await workspace.giveRight(workspace.collectionId, stranger.id)
      const strangerClient = await workspace.connect(stranger.token)
      const channel = channels.task(job)
      expect((await client.request('subscribe', { channels: [channel] })).refused).toEqual([])
      expect((await strangerClient.request('subscribe', { channels: [channel] })).refused).toEqual([channel])
      const progressOf = async (least: number) => {
        const { message } = await client.nextMessage(
          push => (jobShape.safeParse(push.message.job).data?.done ?? 0) >= least,
        )
        return jobShape.parse(message.job)
      }
      const early = await progressOf(1)
      expect(early).toMatchObject({ kind: 'transcode', state: 'running', total: 40, message: '' })
      expect((await progressOf(early.done + 1)).done).toBeLessThan(40)
      await workspace.library.jobs.cancel(terminalViewer, job)
      const { message } = await client.nextMessage(push => push.message.action === 'complete')
      expect(jobShape.parse(message.job).state).toBe('cancelled')
    }, 60_000)

    for (const [way, name] of [
      ['over HTTP', 'stopped.avi'],
      ['by a command', 'stopped-too.avi'],
    ] as const) {
      test(`cancelling a conversion ${way} ends ffmpeg and leaves no file, and the film is sent as it is`, async () => {
        writeFileSync(watched.slow, '')
        rmSync(watched.pid, { force: true })
        // A page waits for the film.
        const waiting = workspace.stream(name, { range: 'bytes=0-3' })
        const pid = await waitUntil(async () =>
          existsSync(watched.pid) ? Number(readFileSync(watched.pid, 'utf8')) : null,
        )
        expect(isRunning(pid)).toBe(true)
        await waitUntil(async () => (workspace.unfinished().length === 1 ? true : null))
        const [running] = workspace.library.jobs.running()
        if (way === 'by a command') {
          const { code } = await runCommand(['--data', workspace.data, 'jobs', 'cancel', String(running?.id)])
          expect(code).toBe(0)
        } else {
          const url = `${await workspace.address()}/v1/job/${running?.id}/cancel`
          const headers = { authorization: `Bearer ${workspace.viewer.token}` }
          expect((await fetch(url, { method: 'PUT', headers })).status).toBe(200)
        }
        await waitUntil(async () => (isRunning(pid) ? null : 'gone'))
        const { state, error } = await workspace.ended(running?.id ?? 0)
        expect({ state, error }).toEqual({ state: 'cancelled', error: null })
        expect(workspace.unfinished()).toEqual([])
        expect(existsSync(workspace.converted(name))).toBe(false)
        for (const response of [await waiting, await workspace.stream(name, { range: 'bytes=0-3' })]) {
          expect([response.status, await response.text()]).toEqual([206, 'RIFF'])
        }
        // The later request has not started the conversion again.
        expect(workspace.library.jobs.list(terminalViewer, 'active')).toEqual([])
      }, 60_000)
    }
  })

  describe('films without ffmpeg', () => {
    let workspace: Awaited<ReturnType<typeof openFilmServer>>
    beforeAll(async () => {
      workspace = await openFilmServer(
        { 'a.mpg': [1, ...mpeg2] },
        () => 'ffmpeg = "/nowhere/ffmpeg"\nffprobe = "/nowhere/ffprobe"\n',
      )
    }, 60_000)
    afterAll(() => workspace?.close())

    test('are sent as they are, in ranges', async () => {
      const bytes = readFileSync(join(workspace.root, 'a.mpg'))
      const whole = await workspace.stream('a.mpg')
      expect([whole.status, whole.headers.get('accept-ranges')]).toEqual([200, 'bytes'])
      expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true)
      const part = await workspace.stream('a.mpg', { range: 'bytes=1000-1999' })
      expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 1000-1999/${bytes.length}`])
      expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(1000, 2000))).toBe(true)
      const last = await workspace.stream('a.mpg', { range: 'bytes=-10' })
      expect(Buffer.from(await last.arrayBuffer()).equals(bytes.subarray(-10))).toBe(true)
      expect((await workspace.stream('a.mpg', { range: `bytes=${bytes.length}-` })).status).toBe(416)
      expect(workspace.library.jobs.list(terminalViewer, 'all').map(({ kind }) => kind)).not.toContain('transcode')
    })
  })
}
