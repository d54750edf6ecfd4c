import { afterAll, describe, expect, test } from 'bun:test'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findTool } from '../../../core/files/find-tool.ts'
import { putTemporary, sweepTemporaries } from '../../../core/media/cache/write-file.ts'
import { runTool, type VideoTools } from '../../../core/media/video/tools.ts'
import { transcodeVideo } from '../../../core/media/video/transcode.ts'
import { filmTraits, playsInEveryBrowser, posterFrame, probeVideo, readPam } from '../../../core/media/video/video.ts'
import { waitUntil } from '../../support/server-process.ts'
import { colourAt, decode, pixelsOf, put, renditionOf, videoTools, workspace } from './decoding.ts'

const directory = workspace()
const cache = join(directory, 'cache')
const tools = videoTools()

/** A video made by ffmpeg: `input` is a lavfi source, the rest are arguments for the output. */
function film(name: string, input: string, ...output: string[]): string {
  const path = join(directory, name)
  if (existsSync(path)) return path
  const { ffmpeg } = tools ?? {}
  const run = Bun.spawnSync([ffmpeg ?? '', '-v', 'error', '-f', 'lavfi', '-i', input, ...output, '-y', `file:${path}`])
  if (run.exitCode !== 0) throw new Error(run.stderr.toString())
  return path
}

async function withOpen<T>(path: string, work: (input: { fd: number; path: Uint8Array }) => Promise<T>): Promise<T> {
  const fd = openSync(path, 'r')
  try {
    return await work({ fd, path: Buffer.from(path) })
  } finally {
    closeSync(fd)
  }
}

/** Only Linux can kill a program when its parent exits, and only with setpriv of util-linux. */
function hasLeash(): boolean {
  if (process.platform !== 'linux' || Bun.which('setpriv') === null) return false
  return Bun.spawnSync(['setpriv', '--pdeathsig', 'KILL', 'true']).exitCode === 0
}

/** A process that has exited may remain as a zombie (Z) until its parent reads its status. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

describe.if(tools !== null)('videos', () => {
  const have: VideoTools = tools ?? { ffmpeg: null, ffprobe: null }

  test('have a poster in all sizes, a duration and codecs', async () => {
    const path = film('plain.mp4', 'testsrc=s=640x360:r=10:d=3')
    const result = await decode(path, cache, { kind: 'video', sizes: ['tiny', 'small', 'medium'] })
    expect(result).toMatchObject({ kind: 'video', mime: 'video/mp4', width: 640, height: 360, problems: [] })
    expect(result.metadata).toMatchObject({ duration: 3, videoCodec: 'h264', frameRate: 10 })
    expect(result.thumbhash).toBeString()
    expect(await pixelsOf(renditionOf(cache, result, 'small'))).toMatchObject({ width: 480, height: 270 })
    expect(await pixelsOf(renditionOf(cache, result, 'medium'))).toMatchObject({ width: 640, height: 360 })
  })

  for (const name of ['a.mkv', 'a.webm', 'a.avi', 'a.mov', 'a.mpg', 'a.ts', 'a.wmv', 'a.flv']) {
    test(`in ${name.slice(2)} format are shown and measured`, async () => {
      const more = name === 'a.mpg' ? ['-r', '25'] : []
      const result = await decode(film(name, 'testsrc=s=320x240:r=25:d=1', ...more), cache, { kind: 'video' })
      expect(result).toMatchObject({ kind: 'video', width: 320, height: 240, problems: [] })
      expect(result.made.length).toBe(2)
      expect(result.metadata?.duration).toBeWithin(0.8, 1.3)
      expect(result.metadata?.videoCodec).toBeString()
    })
  }

  test('that start black are shown by a later frame', async () => {
    const path = film('dark.mp4', 'color=black:s=320x240:r=5:d=8,drawbox=c=red:t=fill:enable=gte(t\\,4)', '-g', '5')
    const frame = await withOpen(path, async input =>
      posterFrame(have, input, filmTraits(await probeVideo(have, input))),
    )
    const [red = 0, green = 0] = colourAt(frame, 0.5, 0.5)
    expect(red).toBeGreaterThan(180)
    expect(green).toBeLessThan(60)
  })

  test('that are entirely black are shown black', async () => {
    const result = await decode(film('black.mp4', 'color=black:s=64x64:r=5:d=1'), cache, { kind: 'video' })
    expect(result.problems).toEqual([])
    expect(Math.max(...colourAt(await pixelsOf(renditionOf(cache, result, 'small')), 0.5, 0.5))).toBeLessThan(20)
  })

  test('with non-square pixels are shown in their display aspect ratio', async () => {
    const result = await decode(film('oblong.mp4', 'testsrc=s=360x288:r=5:d=1,setsar=2/1'), cache, { kind: 'video' })
    expect(await pixelsOf(renditionOf(cache, result, 'small'))).toMatchObject({ width: 480, height: 192 })
    expect(result).toMatchObject({ width: 720, height: 288 })
  })

  test('without a video stream have a problem and no poster', async () => {
    const result = await decode(film('sound.mp4', 'sine=d=1'), cache, { kind: 'video' })
    expect(result).toMatchObject({ kind: 'video', made: [] })
    expect(result.problems).toEqual([{ code: 'undecodable', reason: 'There is no moving picture in this file' }])
  })

  test('are measured without ffmpeg', async () => {
    const path = film('plain.mp4', 'testsrc=s=640x360:r=10:d=3')
    const result = await decode(path, join(directory, 'other'), { kind: 'video' }, { ffmpeg: null, ffprobe: null })
    expect(result).toMatchObject({ kind: 'video', width: 640, height: 360, made: [], metadata: { duration: 3 } })
    expect(result.problems).toEqual([{ code: 'no-ffmpeg', reason: 'ffmpeg is not installed: no poster' }])
  })

  test('with names that look like patterns or options, or are not UTF-8, can be opened', async () => {
    const bytes = readFileSync(film('plain.mp4', 'testsrc=s=640x360:r=10:d=3'))
    for (const name of ['-i %d.mp4', 'concat:a|b.mp4', "it's; $(id).mp4"]) {
      const result = await decode(put(directory, name, bytes), join(directory, `cache of ${name.length}`), {
        kind: 'video',
      })
      expect([name, result.problems, result.made.length]).toEqual([name, [], 2])
    }
    const path = Buffer.concat([Buffer.from(`${directory}/`), Buffer.from([0xff, 0xfe]), Buffer.from('.mp4')])
    writeFileSync(path, bytes)
    const result = await decode('x.mp4', join(directory, 'bytes'), { kind: 'video', path: new Uint8Array(path) })
    expect([result.problems, result.made.length]).toEqual([[], 2])
  })

  test('that are playlists open none of the listed files, even if passed to ffmpeg', async () => {
    film('secret.mp4', 'testsrc=s=64x64:r=5:d=1')
    const secret = join(directory, 'secret.mp4')
    const lists = {
      'list.mp4': `ffconcat version 1.0\nfile secret.mp4\n`,
      'full.mp4': `ffconcat version 1.0\nfile '${secret}'\n`,
      'play.mp4': `#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:1,\n${secret}\n#EXT-X-ENDLIST\n`,
    }
    for (const [name, text] of Object.entries(lists)) {
      const path = put(directory, name, text)
      expect((await decode(path, cache, { kind: 'video' })).problems[0]?.code).toBe('not-media')
      const shown = withOpen(path, input => posterFrame(have, input, filmTraits(null)))
      await expect(shown).rejects.toHaveProperty('name', 'MediaProblem')
    }
  })

  test('pictures that only ffmpeg decodes are shown with it', async () => {
    const bitmap = film('still.bmp', 'testsrc=s=200x100', '-frames:v', '1')
    expect(await decode(bitmap, cache)).toMatchObject({ mime: 'image/bmp', width: 200, height: 100, problems: [] })
    const path = film('still.jp2', 'testsrc=s=200x100', '-frames:v', '1', '-c:v', 'jpeg2000')
    expect(await decode(path, cache)).toMatchObject({ mime: 'image/jp2', width: 200, height: 100, problems: [] })
    const without = await decode(path, join(directory, 'other'), {}, { ffmpeg: null, ffprobe: null })
    expect(without.problems[0]?.code).toBe('no-ffmpeg')
  })
})

describe.if(tools !== null)('the variant of a video', () => {
  const have: VideoTools = tools ?? { ffmpeg: null, ffprobe: null }
  const into = (target: string) => ({ cache, put: (finished: string) => putTemporary(finished, target) })
  const unfinished = () => readdirSync(join(cache, 'renditions', 'tmp'))

  test('plays in browsers, starts at once and has no private metadata', async () => {
    const path = film('old.avi', 'testsrc=s=321x241:r=10:d=2', '-c:v', 'mpeg4', '-metadata', 'title=secret')
    const target = join(directory, 'variants', 'old.mp4')
    const progress: number[] = []
    await withOpen(path, input =>
      transcodeVideo({
        tools: have,
        input,
        ...into(target),
        threads: 1,
        onProgress: done => {
          progress.push(done)
          // An unfinished variant is among the unfinished renditions, with the process id in its name.
          expect(unfinished()).toEqual([expect.stringMatching(new RegExp(`^${process.pid}-`))])
        },
      }),
    )
    expect(unfinished()).toEqual([])
    const json = await withOpen(target, input => probeVideo(have, input))
    expect(playsInEveryBrowser({ mime: 'video/mp4', ...filmTraits(json) })).toBe(true)
    expect(JSON.stringify(json)).not.toContain('secret')
    expect(progress.at(-1)).toBeGreaterThan(1)
    const bytes = readFileSync(target)
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
    expect(readdirSync(join(directory, 'variants'))).toEqual(['old.mp4'])
  })

  test('copies streams that browsers can play', async () => {
    const path = film('inside.mkv', 'testsrc=s=320x240:r=10:d=2', '-c:v', 'libx264', '-pix_fmt', 'yuv420p')
    const target = join(directory, 'kept.mp4')
    await withOpen(path, input => transcodeVideo({ tools: have, input, ...into(target), threads: 1 }))
    const frames = (file: string) =>
      Bun.spawnSync([
        have.ffmpeg ?? '',
        '-v',
        'error',
        '-i',
        file,
        '-map',
        '0:v',
        '-c',
        'copy',
        '-bsf:v',
        'h264_mp4toannexb',
        '-f',
        'md5',
        '-',
      ]).stdout.toString()
    expect(frames(target)).toBe(frames(path))
  })

  test('drops what camcorders store between the frames (SEI), and stays seekable', async () => {
    const addSerial = 'h264_metadata=sei_user_data=086f3693-b7b3-4f2c-9653-21492feee5b8+secret-serial'
    const path = film(
      'camcorder.ts',
      'testsrc=s=320x240:r=10:d=3',
      '-c:v',
      'libx264',
      '-pix_fmt',
      'yuv420p',
      '-g',
      '10',
      '-bsf:v',
      addSerial,
    )
    expect(readFileSync(path).includes('secret-serial')).toBe(true)
    const target = join(directory, 'camcorder.mp4')
    await withOpen(path, input => transcodeVideo({ tools: have, input, ...into(target), threads: 1 }))
    expect(readFileSync(target).includes('secret-serial')).toBe(false)
    const decoded = Bun.spawnSync([have.ffmpeg ?? '', '-v', 'error', '-ss', '1.5', '-i', target, '-f', 'framemd5', '-'])
    expect(decoded.stderr.toString()).toBe('')
    expect(
      decoded.stdout
        .toString()
        .trim()
        .split('\n')
        .filter(line => !line.startsWith('#')),
    ).toHaveLength(15)
  })

  test('can be aborted and then leaves no file', async () => {
    const path = film('long.avi', 'testsrc=s=1280x720:r=30:d=30', '-c:v', 'mpeg4', '-q:v', '5')
    const target = join(directory, 'stopped', 'long.mp4')
    const stop = new AbortController()
    const going = withOpen(path, input =>
      transcodeVideo({
        tools: have,
        input,
        ...into(target),
        threads: 1,
        signal: stop.signal,
        onProgress: () => stop.abort(),
      }),
    )
    await expect(going).rejects.toHaveProperty('name', 'AbortError')
    expect(existsSync(join(directory, 'stopped'))).toBe(false)
    expect(unfinished()).toEqual([])
  }, 30_000)

  test.if(hasLeash())('is aborted when its process is killed, and the unfinished file is removed later', async () => {
    const path = film('plain.mp4', 'testsrc=s=640x360:r=10:d=3')
    const own = join(directory, 'killed')
    const started = join(own, 'pid')
    const stub = join(own, 'ffmpeg')
    mkdirSync(own)
    // While it sleeps, the stub neither reads nor writes, so no broken pipe ends it.
    const script = `for last; do :; done; echo part > "\${last#file:}"; echo $$ > ${started}.new; mv ${started}.new ${started}`
    writeFileSync(stub, `#!/bin/sh\n${script}; exec sleep 600\n`, { mode: 0o755 })
    const worker = Bun.spawn(
      [process.execPath, join(import.meta.dir, 'transcode-process.ts'), path, own, stub, have.ffprobe ?? ''],
      { stdout: 'inherit', stderr: 'inherit' },
    )
    const pid = await waitUntil(async () => (existsSync(started) ? Number(readFileSync(started, 'utf8')) : null))
    expect(isRunning(pid)).toBe(true)
    worker.kill('SIGKILL')
    await worker.exited
    try {
      await waitUntil(async () => (isRunning(pid) ? null : 'gone'))
    } finally {
      if (isRunning(pid)) process.kill(pid, 'SIGKILL')
    }

    const left = join(own, 'renditions', 'tmp')
    expect(readdirSync(left)).toEqual([expect.stringMatching(new RegExp(`^${worker.pid}-`))])
    const old = new Date(Date.now() - 60_000)
    for (const name of readdirSync(left)) utimesSync(join(left, name), old, old)
    sweepTemporaries(own)
    expect(readdirSync(left)).toEqual([])
    expect(readdirSync(own).sort()).toEqual(['ffmpeg', 'pid', 'renditions'])
  })

  test('of a file that is not a video fails with a problem', async () => {
    const path = put(directory, 'noise.mp4', crypto.getRandomValues(new Uint8Array(5000)))
    const going = withOpen(path, input =>
      transcodeVideo({ tools: have, input, ...into(join(directory, 'noise-out.mp4')), threads: 1 }),
    )
    await expect(going).rejects.toHaveProperty('code', 'undecodable')
    const without = { ffmpeg: null, ffprobe: null }
    const refused = withOpen(path, input =>
      transcodeVideo({ tools: without, input, ...into(join(directory, 'x.mp4')), threads: 1 }),
    )
    await expect(refused).rejects.toHaveProperty('code', 'unsupported')
  })
})

describe('tools', () => {
  const own = mkdtempSync(join(tmpdir(), 'keepsake-tools-'))
  afterAll(() => rmSync(own, { recursive: true, force: true }))

  test('are found in PATH or by the setting, and only if executable', () => {
    const tool = join(own, 'ffmpeg')
    writeFileSync(tool, '#!/bin/sh\n', { mode: 0o755 })
    const plain = join(own, 'plain')
    writeFileSync(plain, '', { mode: 0o644 })
    expect(findTool('ffmpeg', undefined, `/nowhere:${own}`)).toBe(tool)
    expect(findTool('ffmpeg', '', '')).toBeNull()
    expect(findTool('ffmpeg', tool, '')).toBe(tool)
    expect(findTool('ffmpeg', plain, own)).toBeNull()
    expect(findTool('ffmpeg', '/nowhere/ffmpeg', own)).toBeNull()
    expect(findTool('ffmpeg', undefined, `.:relative:`)).toBeNull()
  })

  test('that take too long or write too much are killed', async () => {
    const path = put(own, 'input', 'x')
    const shell = findTool('sh', undefined) ?? '/bin/sh'
    await withOpen(path, async input => {
      const slow = runTool({ command: [shell, '-c', 'sleep 60 & wait'], input, timeoutMs: 50, maxOutput: 10 })
      await expect(slow).rejects.toHaveProperty('code', 'timeout')
      const loud = runTool({ command: [shell, '-c', 'yes'], input, timeoutMs: 20_000, maxOutput: 100_000 })
      await expect(loud).rejects.toHaveProperty('code', 'too-large')
      const fine = await runTool({
        command: [shell, '-c', 'cat <&3; echo trouble >&2; exit 3'],
        input,
        timeoutMs: 20_000,
        maxOutput: 10,
      })
      expect([Buffer.from(fine.output).toString(), fine.message, fine.exitCode]).toEqual(['x', 'trouble', 3])
    })
  })

  test('an incomplete or invalid frame is null', () => {
    const head = 'P7\nWIDTH 2\nHEIGHT 1\nDEPTH 3\nMAXVAL 255\nTUPLTYPE RGB\nENDHDR\n'
    expect(readPam(Buffer.from(`${head}abcdef`))).toMatchObject({ width: 2, height: 1, channels: 3 })
    expect(readPam(Buffer.from(`${head}abcde`))).toBeNull()
    expect(readPam(Buffer.from('P6\n2 1\n255\nabcdef'))).toBeNull()
    expect(readPam(new Uint8Array(0))).toBeNull()
  })
})
