/** Transfer sizes of the pages' code: the first load, and every part that is loaded when first used. */

export interface PartSize {
  name: string
  plain: number
  gzip: number
  brotli: number
}

interface FetchedFile extends PartSize {
  /** The files that it needs at once. */
  needs: string[]
  /** The files that it loads when they are first used. */
  later: string[]
}

async function bytesOf(address: string, encoding: string): Promise<ArrayBuffer> {
  const response = await fetch(address, { headers: { 'accept-encoding': encoding }, decompress: false })
  if (!response.ok) throw new Error(`${address}: ${response.status}`)
  return response.arrayBuffer()
}

const asset = /["'(](\/assets\/[\w.-]+)["')]/g
const importPattern = /(?:from|import)\s*["'](\/assets\/[\w.-]+)["']/g
/** What the page itself loads. Its script names the files of all languages, and loads one at most. */
const loadPattern = /(?:src|href)=["'](\/assets\/[\w.-]+)["']/g
const matchesOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].flatMap(([, name]) => name ?? [])

async function fetchPart(base: string, name: string, isPage: boolean): Promise<FetchedFile> {
  const [plain, gzip, brotli] = await Promise.all(
    ['identity', 'gzip', 'br'].map(encoding => bytesOf(base + name, encoding)),
  )
  if (plain === undefined || gzip === undefined || brotli === undefined) throw new Error(name)
  const text = /\.(js|css)$/.test(name) || isPage ? new TextDecoder().decode(plain) : ''
  const mentioned = [...new Set(matchesOf(text, asset))]
  const needs = [...new Set(matchesOf(text, isPage ? loadPattern : importPattern))]
  return {
    name,
    plain: plain.byteLength,
    gzip: gzip.byteLength,
    brotli: brotli.byteLength,
    needs,
    later: mentioned.filter(one => !needs.includes(one)),
  }
}

function totalOf(name: string, parts: readonly PartSize[]): PartSize {
  const sum = (of: (part: PartSize) => number) => parts.reduce((bytes, part) => bytes + of(part), 0)
  return { name, plain: sum(one => one.plain), gzip: sum(one => one.gzip), brotli: sum(one => one.brotli) }
}

/** The first load, then the parts from large to small. A file that several parts need counts in each of them. */
export async function partSizes(base: string): Promise<PartSize[]> {
  const known = new Map<string, FetchedFile>()
  const get = async (name: string): Promise<FetchedFile> => {
    const one = known.get(name) ?? (await fetchPart(base, name, name === '/'))
    known.set(name, one)
    return one
  }
  const closure = async (name: string, into: Map<string, FetchedFile>) => {
    if (into.has(name)) return
    const one = await get(name)
    into.set(name, one)
    for (const next of one.needs) await closure(next, into)
  }
  const first = new Map<string, FetchedFile>()
  await closure('/', first)
  const parts: PartSize[] = []
  const waiting = [...first.values()].flatMap(({ later }) => later)
  const done = new Set<string>(first.keys())
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    if (done.has(name)) continue
    done.add(name)
    const part = new Map(first)
    await closure(name, part)
    const own = [...part.values()].filter(one => !first.has(one.name))
    waiting.push(...own.flatMap(({ later }) => later))
    parts.push(totalOf(name.replace('/assets/', '').replace(/-[\da-z]{8,}(?=\.)/, ''), own))
  }
  return [totalOf('first load', [...first.values()]), ...parts.sort((a, b) => b.brotli - a.brotli)]
}
