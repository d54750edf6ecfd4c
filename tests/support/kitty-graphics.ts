/** Simulates a terminal with kitty's graphics protocol: keeps the images it receives, and where they are shown. */

/** Where a picture is shown, in cells. */
interface Placement {
  image: number
  column: number
  row: number
  columns: number
  rows: number
}

interface StoredImage {
  /** 24: RGB, 32: RGBA, 100: PNG. */
  format: number
  width: number
  height: number
  data: Buffer
}

type Control = Record<string, string>

interface PictureCommand {
  control: Control
  payload: string
}

export interface KittyGraphics {
  /** The images in the terminal's memory, by id. */
  images: ReadonlyMap<number, StoredImage>
  /** Where images are shown now, by 'image/placement'. */
  placements: ReadonlyMap<string, Placement>
  /** Splits a text into graphics commands and everything else. */
  partsOf(text: string): { text: string; picture: PictureCommand | null }[]
  handle(command: PictureCommand): void
}

function commandOf(body: string): PictureCommand {
  const [head = '', payload = ''] = body.split(';')
  return { control: Object.fromEntries(head.split(',').map(pair => pair.split('='))), payload }
}

/** `responds` is false for a terminal without the protocol, which ignores all commands. */
export function createKittyGraphics(options: {
  responds: boolean
  cursor: () => { column: number; row: number }
  reply: (text: string) => void
}): KittyGraphics {
  const images = new Map<number, StoredImage>()
  const placements = new Map<string, Placement>()
  let rest = ''
  let incomplete: { control: Control; parts: string[] } | null = null

  function putPlacement(control: Control, id: number) {
    const { column, row } = options.cursor()
    placements.set(`${id}/${control.p ?? '0'}`, {
      image: id,
      column,
      row,
      columns: Number(control.c ?? 0),
      rows: Number(control.r ?? 0),
    })
  }

  function remove(control: Control) {
    const mode = control.d ?? 'a'
    const id = control.i
    for (const [key, { image }] of placements)
      if (id === undefined || String(image) === id) {
        if (control.p === undefined || key.endsWith(`/${control.p}`)) placements.delete(key)
      }
    if (mode === 'A') images.clear()
    if (mode === 'I') images.delete(Number(id))
  }

  function store(control: Control, payload: string) {
    const id = Number(control.i ?? 0)
    images.set(id, {
      format: Number(control.f ?? 32),
      width: Number(control.s ?? 0),
      height: Number(control.v ?? 0),
      data: Buffer.from(payload, 'base64'),
    })
    if (control.a === 'T') putPlacement(control, id)
  }

  return {
    images,
    placements,
    partsOf(text) {
      const whole = rest + text
      rest = ''
      const parts: { text: string; picture: PictureCommand | null }[] = []
      let at = 0
      for (;;) {
        const start = whole.indexOf('\x1b_G', at)
        if (start === -1) break
        const end = whole.indexOf('\x1b\\', start)
        if (start > at) parts.push({ text: whole.slice(at, start), picture: null })
        if (end === -1) {
          rest = whole.slice(start)
          return parts
        }
        parts.push({ text: '', picture: commandOf(whole.slice(start + 3, end)) })
        at = end + 2
      }
      // The text may end with the beginning of a command.
      const started = ['\x1b_', '\x1b'].find(start => whole.slice(at).endsWith(start)) ?? ''
      const until = whole.length - started.length
      rest = whole.slice(until)
      if (until > at) parts.push({ text: whole.slice(at, until), picture: null })
      return parts
    },
    handle({ control, payload }) {
      if (!options.responds) return
      if (incomplete !== null) {
        incomplete.parts.push(payload)
        if (control.m !== '1') {
          const done = incomplete
          incomplete = null
          store(done.control, done.parts.join(''))
        }
        return
      }
      switch (control.a ?? 't') {
        case 'q':
          options.reply(`\x1b_Gi=${control.i ?? 0};OK\x1b\\`)
          return
        case 'p':
          if (images.has(Number(control.i))) putPlacement(control, Number(control.i))
          return
        case 'd':
          remove(control)
          return
        default:
          if (control.m === '1') incomplete = { control, parts: [payload] }
          else store(control, payload)
      }
    },
  }
}
