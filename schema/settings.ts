/** Every setting: its name in config.toml, its environment variable, its schema and its default. */
import { z } from 'zod'
import './issue-words.ts'

/** '24h', '30m', '90s', '2d' or 'off', converted to seconds; null for off. */
const duration = z.union([
  z
    .string()
    .regex(/^(?:off|\d{1,6}(?:s|m|h|d))$/, "must be like '24h', '30m', '2d', or 'off'")
    .transform(text => {
      if (text === 'off') return null
      const unit = { s: 1, m: 60, h: 3600, d: 86_400 }[text.slice(-1)] ?? 1
      return Number(text.slice(0, -1)) * unit
    }),
])

const bytes = z
  .string()
  .regex(/^\d{1,15}(?:\.\d+)?\s*(?:[KMGT]i?B?|B)?$/i, "must be like '10GB' or '500MB'")
  .transform(text => {
    const [, amount = '0', unit = ''] = /^([\d.]+)\s*([KMGT]?)/i.exec(text) ?? []
    return Math.round(Number(amount) * 1024 ** ' KMGT'.indexOf(unit === '' ? ' ' : unit.toUpperCase()))
  })

/** Size of a cache: bytes, a share of its disk, or null for no limit. */
export type CacheSize = { bytes: number } | { share: number } | null

const cacheSize = z
  .string()
  .regex(/^(?:off|(?:100|[1-9]?\d)%|\d{1,15}(?:\.\d+)?\s*(?:[KMGT]i?B?|B)?)$/i, "must be like '20%', '50GB', or 'off'")
  .transform((text): CacheSize => {
    if (text.toLowerCase() === 'off') return null
    return text.endsWith('%') ? { share: Number(text.slice(0, -1)) / 100 } : { bytes: bytes.parse(text) }
  })

const yesOrNo = z.union([z.boolean(), z.enum(['true', 'false']).transform(text => text === 'true')])

const listen = z
  .string()
  .regex(/^(?:\[[0-9a-fA-F:]+\]|[^\s:]*):\d{1,5}$|^\d{1,5}$/, "must be 'address:port' or a port")
  .transform(text => {
    const colon = text.lastIndexOf(':')
    const host = colon < 0 ? '0.0.0.0' : text.slice(0, colon).replace(/^\[|\]$/g, '')
    return { host: host === '' ? '0.0.0.0' : host, port: Number(colon < 0 ? text : text.slice(colon + 1)) }
  })
  .refine(({ port }) => port <= 65_535, 'the port is at most 65535')

const text = z.string()

const baseUrl = z
  .string()
  .refine(
    address => address === '' || /^https?:$/.test(URL.parse(address)?.protocol ?? ''),
    "must be a whole address, like 'https://pictures.example'",
  )

const list = z.union([
  z.array(z.string()),
  z.string().transform(joined =>
    joined
      .split(',')
      .map(part => part.trim())
      .filter(part => part !== ''),
  ),
])

/** A host name as in a browser's address bar, without scheme, port or path. */
function isHostName(name: string): boolean {
  return !/[/:@?#\s\\]/.test(name) && (URL.parse(`http://${name}`)?.hostname ?? '') !== ''
}

const hosts = list.refine(names => names.every(isHostName), "must be names, like 'pictures.lan'")

const network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])
/** Refuses IPv4 inside IPv6 (::ffff:10.0.0.1), because such addresses are compared as IPv4. */
const isNetwork = (text: string) => network.safeParse(text).success && !(text.includes(':') && text.includes('.'))
const networks = list.refine(
  all => all.every(isNetwork),
  "must be addresses or networks, like '127.0.0.1' or '10.0.0.0/8'",
)

const directories = list.refine(
  paths => paths.every(path => path.startsWith('/')),
  "must be whole paths, like '/srv/photos'",
)

/** `about` is the description in `keepsake config` and the manual page. Defaults are as a user would write them. */
export const settingsTable = {
  listen: { schema: listen, default: '0.0.0.0:4480', about: 'address and port of the web server' },
  base_url: {
    schema: baseUrl,
    default: '',
    about: 'address of the server, for links; requests to other names are refused; empty: the address of the request',
  },
  hosts: { schema: hosts, default: [], about: 'more host names of the server, if base_url is set' },
  tls_cert: { schema: text, default: '', about: 'certificate file (PEM) for https' },
  tls_key: { schema: text, default: '', about: 'key file (PEM) for https' },
  trusted_proxies: {
    schema: networks,
    default: [],
    about: 'addresses and networks (10.0.0.0/8) whose X-Forwarded-* headers are believed',
  },
  registration: { schema: z.enum(['open', 'closed']), default: 'open', about: 'whether visitors may register' },
  scan_every: {
    schema: duration,
    default: '24h',
    about: 'how often every collection is scanned; off: never by itself',
  },
  recycle_days: { schema: duration, default: '30d', about: 'how long the recycle bin keeps items; off: for ever' },
  'faces.scan': { schema: yesOrNo, default: false, about: 'look for faces on new pictures after a scan' },
  'faces.model': {
    schema: text,
    default: '',
    about: 'added model that finds faces; empty: the built-in model',
  },
  pairing: { schema: yesOrNo, default: true, about: 'pair a Live Photo with its video in new collections' },
  jobs: {
    schema: z.coerce.number().int().min(0).max(64),
    default: 0,
    about: 'pictures decoded at once; 0: one per core',
  },
  ffmpeg: { schema: text, default: '', about: 'path of ffmpeg; empty: looked for in PATH' },
  ffprobe: { schema: text, default: '', about: 'path of ffprobe; empty: looked for in PATH' },
  exiftool: { schema: text, default: '', about: 'path of exiftool; empty: looked for in PATH' },
  mapbox_token: { schema: text, default: '', about: 'token of the maps service; empty: the built-in map' },
  'map.tiles': { schema: text, default: '', about: 'address of map tiles with {z}, {x} and {y}' },
  'map.attribution': { schema: text, default: '', about: 'who made the map tiles' },
  'files.maxFileSize': { schema: bytes, default: '10GB', about: 'largest file that can be uploaded' },
  cache_size: {
    schema: cacheSize,
    default: '20%',
    about: 'maximum size of pictures and videos made on demand: a share of the disk, a size, or off (no limit)',
  },
  roots: { schema: directories, default: [], about: "directories of the file manager besides the collections'" },
  collection_roots: {
    schema: directories,
    default: [],
    about: 'directories in which the web may make collections; empty: all but system and hidden ones',
  },
  log_level: { schema: z.enum(['debug', 'info', 'warn', 'error']), default: 'info', about: 'what the log file keeps' },
} as const

export type SettingName = keyof typeof settingsTable
export const settingNames = Object.keys(settingsTable).filter((name): name is SettingName => name in settingsTable)

export type Settings = { [Name in SettingName]: z.output<(typeof settingsTable)[Name]['schema']> }

/** Environment variable of a setting: KEEPSAKE_LISTEN, KEEPSAKE_MAP_TILES, KEEPSAKE_FILES_MAX_FILE_SIZE. */
export function environmentName(name: SettingName): string {
  return `KEEPSAKE_${name
    .replace(/\./g, '_')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toUpperCase()}`
}
