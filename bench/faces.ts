/** Measures how well and how fast the server and the browser find and recognise faces on pictures of named people. */
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { table } from '../cli/output.ts'
import { roundedVector } from '../core/editing/boxes/vectors.ts'
import { longestEdge } from '../core/media/cache/renditions.ts'
import { pixelsOfFile } from '../core/media/decode/decode-file.ts'
import { findVideoTools } from '../core/media/video/tools.ts'
import { assignFaces, clusterOf } from '../core/people/faces/clusters.ts'
import { distanceOf, ungroupedFace } from '../core/people/faces/grouping.ts'
import { openRecogniser } from '../core/people/faces/recogniser.ts'
import { boxSimilarity } from '../schema/boxes.ts'
import { type KnownFace, similarity, suggestPeople, surePerson } from '../schema/faces.ts'
import { limits } from '../schema/limits.ts'
import { type AnalysedPicture, findFacesInBrowser } from './faces-browser.ts'
import { measureManyPictures } from './faces-many.ts'

const usage = `usage: bun bench/faces.ts [--samples DIR] [--browser] [--many N] [--json]
  --samples DIR  a folder of pictures for each person, named after them; folders of other pictures begin with '_'
                 (default ../shared/samples/faces)
  --browser      also measures a browser (Chromium; the pages must be built: bun build.ts web)
  --many N       also indexes a library of N pictures of 12 megapixels: rate, CPU and memory, and how long the web page
                 waits meanwhile
  --only-many    only the measurement of --many`

const { values } = parseArgs({
  options: {
    samples: { type: 'string' },
    browser: { type: 'boolean', default: false },
    many: { type: 'string' },
    'only-many': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(usage)
  process.exit(0)
}

const samples = resolve(values.samples ?? join(import.meta.dir, '../../shared/samples/faces'))
/** Number of faces, counted by hand, on the pictures of several people. */
const severalFaces: Record<string, number> = {
  '2007_007763.jpg': 7,
  '2008_002470.jpg': 6,
  '2009_004587.jpg': 2,
  'kit_with_rose.jpg': 2,
  'obama_and_biden.jpg': 2,
  'two_people.jpg': 2,
}

interface EngineResult {
  name: string
  pictures: AnalysedPicture[]
  /** Milliseconds of processor time for a picture: decoding it, finding faces. Null: unknown. */
  cpu: { decode: number; find: number } | null
}

const pictures = readdirSync(samples, { recursive: true, encoding: 'utf8' })
  .filter(name => /\.(jpe?g|png)$/i.test(name))
  .sort()
const personOf = (path: string) => (dirname(path).startsWith('_') ? null : dirname(path))
const confidence = limits.faces.slider / 10

const cpuNow = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

async function findFacesOnServer(): Promise<EngineResult> {
  const recognise = await openRecogniser('')
  const tools = findVideoTools()
  const seen: AnalysedPicture[] = []
  let [decoding, finding] = [0, 0]
  for (const path of pictures) {
    const from = cpuNow()
    const file = { path: Buffer.from(join(samples, path)), name: basename(path) }
    const { pixels } = await pixelsOfFile(file, { edge: longestEdge.large, rotation: 0, tools })
    const between = cpuNow()
    const faces = await recognise(pixels, confidence)
    // The first picture does not count, because it also loads the networks.
    if (seen.length > 0) {
      decoding += between - from
      finding += cpuNow() - between
    }
    const thousandth = 1000 / Math.max(pixels.width, pixels.height)
    seen.push({
      path,
      faces: faces.map(({ left, top, width, height, score, vector }) => {
        const [x, y, wide, high] = [left, top, width, height].map(length => length * thousandth)
        return { x: x ?? 0, y: y ?? 0, width: wide ?? 0, height: high ?? 0, score, vector: roundedVector(vector) }
      }),
    })
  }
  const counted = pictures.length - 1
  return { name: 'server', pictures: seen, cpu: { decode: decoding / counted, find: finding / counted } }
}

interface LabelledFace {
  picture: string
  person: number
  vector: readonly number[]
}

/** Assigns a person to the largest face of each picture that shows one named person. */
function labelFaces(result: EngineResult): { people: string[]; faces: LabelledFace[] } {
  const people = [...new Set(pictures.map(personOf).filter(name => name !== null))]
  const faces = result.pictures.flatMap(({ path, faces: all }) => {
    const [face] = [...all].sort((a, b) => b.width - a.width)
    const name = personOf(path)
    return face === undefined || name === null
      ? []
      : [{ picture: path, person: people.indexOf(name), vector: face.vector }]
  })
  return { people, faces }
}

const knownFacesOfOthers = (faces: readonly LabelledFace[], { picture }: LabelledFace): KnownFace[] =>
  faces.filter(face => face.picture !== picture)
const shareText = (some: number, all: number) =>
  all === 0 ? '–' : `${some} of ${all} (${Math.round((100 * some) / all)} %)`

async function figuresOf(result: EngineResult): Promise<Record<string, string>> {
  const { people, faces } = labelFaces(result)
  const ofOne = pictures.filter(path => personOf(path) !== null)
  const several = result.pictures.filter(({ path }) => basename(path) in severalFaces)
  const expected = several.reduce((sum, { path }) => sum + (severalFaces[basename(path)] ?? 0), 0)
  const foundOfSeveral = several.reduce(
    (sum, { path, faces: all }) => sum + Math.min(all.length, severalFaces[basename(path)] ?? 0),
    0,
  )
  const extra = result.pictures.reduce((sum, { path, faces: all }) => {
    const expectedHere = personOf(path) === null ? (severalFaces[basename(path)] ?? 0) : 1
    return sum + Math.max(0, all.length - expectedHere)
  }, 0)

  // A person with no other picture cannot be suggested.
  const suggestable = faces.filter(face => faces.filter(other => other.person === face.person).length > 1)
  const suggested = suggestable.map(face => ({
    face,
    list: suggestPeople(face.vector, knownFacesOfOthers(faces, face)),
  }))
  const withAny = suggested.filter(({ list }) => list.length > 0)
  const first = withAny.filter(({ face, list }) => list[0]?.person === face.person)
  const amongFive = withAny.filter(({ face, list }) => list.some(one => one.person === face.person))

  const often = people
    .map((_, person) => person)
    .filter(person => faces.filter(face => face.person === person).length >= 10)
  const rare = suggested
    .filter(({ face }) => !often.includes(face.person))
    .map(({ face, list }) => ({ path: face.picture, suggestions: list }))
  const labels = new Map(faces.map(face => [face.picture, face]))
  /** The people on a picture; null stands for unknown ones. */
  const peopleOn = (path: string): (string | null)[] =>
    basename(path) === 'obama_and_biden.jpg' ? ['Barack Obama', 'Joe Biden'] : [personOf(path)]
  const ofOften = faces.filter(face => often.includes(face.person))
  const sure = ofOften
    .map(face => ({ face, sure: surePerson(suggestPeople(face.vector, knownFacesOfOthers(faces, face))) }))
    .filter(one => one.sure !== null)
  const right = sure.filter(one => one.sure?.person === one.face.person)

  // All faces without a label, most of them of strangers: only the name of somebody on the picture is right.
  const strangers = result.pictures.flatMap(({ path, faces: all }) => {
    const own = labels.get(path)
    const known = faces.filter(face => face.picture !== path)
    const list = all.filter(face => face.vector !== own?.vector).map(face => suggestPeople(face.vector, known))
    return list.map(suggestions => ({ path, suggestions }))
  })
  const wrong =
    sure.length -
    right.length +
    [...rare, ...strangers].filter(({ path, suggestions }) => {
      const person = surePerson(suggestions)?.person
      return person !== undefined && !peopleOn(path).includes(people[person] ?? '')
    }).length
  const strangersSuggested = strangers.filter(
    ({ path, suggestions: [one] }) => one !== undefined && !peopleOn(path).includes(people[one.person] ?? ''),
  )

  // Groups all faces as the job does.
  const loose = result.pictures.flatMap(({ path, faces: all }, item) =>
    all
      .filter(({ score }) => score >= limits.faces.confidence)
      .toSorted((one, other) => other.score - one.score)
      .map(face => ({
        face: ungroupedFace({ vector: Float32Array.from(face.vector), item }, limits.faceModel),
        person: labels.get(path)?.vector === face.vector ? (labels.get(path)?.person ?? -1) : -1,
      })),
  )
  const clusters = [clusterOf(null, [])].slice(1)
  await assignFaces(
    clusters,
    loose.map(({ face }) => face),
    distanceOf(limits.faces.sameGroup),
    async () => {},
  )
  const groups = clusters.filter(({ members }) => members.length > 1)
  const grouped = groups.reduce((sum, { members }) => sum + members.length, 0)
  const groupedNamed = groups.reduce((sum, { members }) => sum + members.filter(n => loose[n]?.person !== -1).length, 0)
  // Strangers never count as the most frequent person, though some may be the same.
  const pure = groups.reduce((sum, { members }) => {
    const counts = Map.groupBy(members, member => loose[member]?.person ?? -1)
    counts.delete(-1)
    return sum + Math.max(0, ...[...counts.values()].map(list => list.length))
  }, 0)
  const largest = Math.max(0, ...groups.map(({ members }) => members.length))

  return {
    'pictures of one person with a face': shareText(new Set(faces.map(face => face.picture)).size, ofOne.length),
    'faces on pictures of several people': shareText(foundOfSeveral, expected),
    'faces too many': String(extra),
    'suggestions: recall': shareText(first.length, suggestable.length),
    'suggestions: precision': shareText(first.length, withAny.length),
    'suggestions: the right person is among the five': shareText(amongFive.length, suggestable.length),
    [`named automatically (${often.length} people): recall`]: shareText(right.length, ofOften.length),
    [`named automatically (${often.length} people): precision`]: shareText(right.length, sure.length),
    'named automatically, all faces: wrong names': String(wrong),
    'suggestions for strangers': shareText(strangersSuggested.length, strangers.length),
    'groups: faces of named people that are in a group': shareText(groupedNamed, faces.length),
    'groups: faces of the person who is most frequent in the group': shareText(pure, grouped),
    'groups: number, and size of the largest': `${groups.length}, ${largest} faces`,
    'CPU a picture: decoding, finding':
      result.cpu === null ? '–' : `${result.cpu.decode.toFixed(0)} + ${result.cpu.find.toFixed(0)} ms`,
  }
}

/** How much two results differ, for the faces that both have found. */
function agreementText(one: EngineResult, other: EngineResult): string {
  const pairs = one.pictures.flatMap(({ path, faces }) => {
    const others = other.pictures.find(picture => picture.path === path)?.faces ?? []
    return faces.flatMap(face => {
      const [same] = others.toSorted((a, b) => boxSimilarity(b, face) - boxSimilarity(a, face))
      return same === undefined || boxSimilarity(same, face) === 0 ? [] : [{ face, same }]
    })
  })
  const alike = pairs.map(({ face, same }) => similarity(face.vector, same.vector)).sort((a, b) => a - b)
  const sides = ['x', 'y', 'width', 'height'] as const
  const apart = pairs
    .map(({ face, same }) => Math.max(...sides.map(side => Math.abs(face[side] - same[side]))))
    .sort((a, b) => a - b)
  const at = (numbers: readonly number[], part: number) => numbers[Math.floor(part * (numbers.length - 1))] ?? 0
  const likenesses = [0, 0.05, 0.5].map(part => at(alike, part).toFixed(2)).join(', ')
  const distances = [0.5, 0.95, 1].map(part => at(apart, part).toFixed(1)).join(', ')
  return `${pairs.length} faces; similarity (least, 5 %, median): ${likenesses}; sides of boxes apart (median, 95 %, most): ${distances} thousandths`
}

if (!existsSync(samples)) {
  console.error(`There are no pictures in ${samples}.`)
  process.exit(1)
}
async function measureMany(): Promise<void> {
  if (values.many === undefined) return
  await measureManyPictures(samples, Number(values.many), values.json)
}

if (values['only-many']) {
  await measureMany()
  process.exit(0)
}
const results = [await findFacesOnServer()]
if (values.browser) {
  results.unshift({ name: 'browser', pictures: await findFacesInBrowser(samples, pictures, confidence), cpu: null })
}
const columns = await Promise.all(results.map(figuresOf))
const names = Object.keys(columns[0] ?? {})
const rows = names.map(name => [name, ...columns.map(column => column[name] ?? '')])
if (values.json) console.log(JSON.stringify(Object.fromEntries(results.map(({ name }, n) => [name, columns[n]]))))
else for (const line of table([['', ...results.map(({ name }) => name)], ...rows])) console.log(line)
const [first, second] = results
if (!values.json && first !== undefined && second !== undefined) {
  console.log(`\n${first.name} and ${second.name}: ${agreementText(first, second)}`)
}
await measureMany()
process.exit(0)
