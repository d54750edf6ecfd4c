/** Added models: downloaded, verified and stored in the data directory, each in a folder. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { count, eq } from 'drizzle-orm'
import { Failure, reasonOf, sentence } from '../../../../schema/errors.ts'
import { sizeText } from '../../../../schema/figures.ts'
import { faceGroups, faceSearches, faces, foundFaces } from '../../../../schema/tables/faces.ts'
import { requireGlobalAdmin, type Viewer } from '../../../accounts/access.ts'
import { openNamedFile } from '../../../files/open-file.ts'
import type { LibraryDatabase } from '../../../kernel/database/database.ts'
import { openAdded } from './added.ts'
import { type ModelManifest, modelFileHash, readManifest } from './manifest.ts'

export interface AddedModel {
  name: string
  about: string
  licence: string
  detector: string
  size: number
  inUse: boolean
}

/** Larger networks do not suit a home server. */
const maxModelFileBytes = 1024 ** 3
const maxManifestBytes = 1024 ** 2
/** Time limit for downloading one file. */
const maxDownloadMs = 600_000

const isAddress = (source: string) => /^https?:\/\//i.test(source)

/** All bytes of a file or an address; throws a Failure if there is none, or it is too large. */
async function loadBytes(source: string, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = () => new Failure('tooLarge', sentence`${source} is larger than ${sizeText(maxBytes, 'en')}.`)
  if (!isAddress(source)) {
    const file = openNamedFile(source)
    try {
      if (file.size > maxBytes) throw tooLarge()
      return file.read(0, file.size)
    } finally {
      file.close()
    }
  }
  try {
    const response = await fetch(source, { signal: AbortSignal.timeout(maxDownloadMs) })
    if (!response.ok) throw new Failure('notFound', sentence`${source} returned ${response.status}.`)
    const parts: Uint8Array[] = []
    let size = 0
    for await (const part of response.body ?? []) {
      size += part.length
      if (size > maxBytes) throw tooLarge()
      parts.push(part)
    }
    return Buffer.concat(parts)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure('unavailable', sentence`${source} could not be fetched: ${reasonOf(error)}`, { cause: error })
  }
}

function requireHash(bytes: Uint8Array, expected: string, source: string): void {
  const found = modelFileHash(bytes)
  if (found !== expected.toLowerCase()) {
    throw new Failure('invalid', sentence`${source} does not match: its SHA-256 is ${found}, not ${expected}.`, {
      field: 'sha256',
    })
  }
}

/** The location of a file that a manifest names: an address, or a path beside the manifest. */
function resolveBeside(source: string, file: string): string {
  if (isAddress(file)) return file
  if (isAddress(source)) return new URL(file, source).href
  return resolve(dirname(source), file)
}

interface ModelStore {
  db: LibraryDatabase
  home: string
  /** The value of the setting; '' means the built-in model. */
  nameInUse: string
}

/** Whether a model is installed. The setting may contain anything, so the name is checked before it is used as a folder. */
function isInstalled({ home }: ModelStore, name: string): boolean {
  return /^[a-z0-9][a-z0-9._-]{1,60}$/.test(name) && existsSync(join(home, name))
}

/** A model's manifest, and what is wrong with it or its files. Finds empty files; a worker checks all bytes. */
function manifestOf({ home }: ModelStore, name: string): { manifest: ModelManifest | null; fault: string | null } {
  const path = join(home, name, 'model.json')
  const manifest = existsSync(path) ? readManifest(readFileSync(path, 'utf8')) : 'Its manifest is not there.'
  if (typeof manifest === 'string') return { manifest: null, fault: manifest }
  const missing = [manifest.detector, manifest.embedder].find(({ file }) => Bun.file(join(home, name, file)).size === 0)
  return { manifest, fault: missing === undefined ? null : `Its file ${missing.file} is not there.` }
}

const damaged = (name: string, why: string) =>
  `The model '${name}' is damaged: ${why} Remove it and add it again: keepsake models remove ${name}`

function describe(store: ModelStore, name: string): AddedModel {
  const { manifest, fault } = manifestOf(store, name)
  const inUse = name === store.nameInUse
  const about = fault === null ? (manifest?.about ?? '') : damaged(name, fault)
  if (manifest === null) return { name, about, licence: '', detector: '', size: 0, inUse }
  const { licence, detector, embedder } = manifest
  const sizeOf = (file: string) => Bun.file(join(store.home, name, file)).size
  const size = [...new Set([detector.file, embedder.file])].reduce((sum, file) => sum + sizeOf(file), 0)
  return { name, about, licence, detector: detector.kind, size, inUse }
}

export function createModels({ db, data, nameInUse }: Pick<ModelStore, 'db' | 'nameInUse'> & { data: string }) {
  const home = join(data, 'models')
  const store: ModelStore = { db, home, nameInUse }

  return {
    /** The directory of the current model; '' for the built-in one. Throws a Failure if it is missing or damaged. */
    directoryInUse(): string {
      if (nameInUse === '') return ''
      if (!isInstalled(store, nameInUse))
        throw new Failure('notFound', sentence`There is no model '${nameInUse}'. See: keepsake models list`)
      const { fault } = manifestOf(store, nameInUse)
      if (fault !== null) throw new Failure('invalid', damaged(nameInUse, fault))
      return join(home, nameInUse)
    },

    list(viewer: Viewer): AddedModel[] {
      requireGlobalAdmin(viewer)
      const names = existsSync(home) ? readdirSync(home).sort() : []
      return names.filter(name => isInstalled(store, name)).map(name => describe(store, name))
    },

    /**
     * Loads a manifest and its files, verifies the hashes and the networks' declared outputs, and stores them.
     * `sha256` is the hash of the manifest, which contains those of the files. With `dryRun` nothing is stored.
     */
    async add(
      viewer: Viewer,
      { source, sha256, dryRun = false }: { source: string; sha256?: string; dryRun?: boolean },
    ): Promise<AddedModel> {
      requireGlobalAdmin(viewer)
      if (sha256 === undefined && isAddress(source)) {
        throw new Failure('invalid', 'A model from a URL needs --sha256.', { field: 'sha256' })
      }
      const bytes = await loadBytes(source, maxManifestBytes)
      if (sha256 !== undefined) requireHash(bytes, sha256, source)
      const manifest = readManifest(new TextDecoder().decode(bytes))
      if (typeof manifest === 'string') throw new Failure('invalid', sentence`${source}: ${manifest}`)
      const { name, about, licence, detector, embedder } = manifest
      if (existsSync(join(home, name)))
        throw new Failure(
          'conflict',
          sentence`There is a model '${name}' already. To replace it: keepsake models remove ${name}`,
        )
      const files = new Map<string, Uint8Array>()
      for (const part of [detector, embedder]) {
        const from = resolveBeside(source, part.file)
        const content = await loadBytes(from, maxModelFileBytes)
        requireHash(content, part.sha256, from)
        // Stored under a fixed name, whatever its name at the source.
        part.file = `${part === detector ? 'detector' : 'embedder'}.onnx`
        files.set(part.file, content)
      }
      const checkNetworks = async () =>
        (await openAdded(manifest, ({ file }) => files.get(file) ?? new Uint8Array())).check()
      await checkNetworks().catch((error: unknown) => {
        throw new Failure('invalid', sentence`The model '${name}' does not run: ${reasonOf(error)}`, { cause: error })
      })
      const size = [...files.values()].reduce((sum, content) => sum + content.length, 0)
      const added = { name, about, licence, detector: detector.kind, size, inUse: name === nameInUse }
      if (dryRun) return added
      mkdirSync(home, { recursive: true, mode: 0o700 })
      const temporary = mkdtempSync(join(home, '.adding-'))
      try {
        for (const [file, content] of files) writeFileSync(join(temporary, basename(file)), content, { mode: 0o600 })
        writeFileSync(join(temporary, 'model.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
        renameSync(temporary, join(home, name))
      } finally {
        rmSync(temporary, { recursive: true, force: true })
      }
      return added
    },

    /** Removes a model that is not in use, with its detected and known faces, which no other model can use. */
    async remove(viewer: Viewer, name: string, { dryRun = false } = {}): Promise<{ faces: number }> {
      requireGlobalAdmin(viewer)
      if (!isInstalled(store, name))
        throw new Failure('notFound', sentence`There is no model '${name}'. See: keepsake models list`)
      if (name === nameInUse) {
        throw new Failure(
          'conflict',
          sentence`The model '${name}' is in use. Run first: keepsake config unset faces.model`,
        )
      }
      const found = db.orm.select({ n: count() }).from(foundFaces).where(eq(foundFaces.model, name)).get()?.n ?? 0
      if (dryRun) return { faces: found }
      await db.transact(viewer, tx => {
        for (const table of [foundFaces, faceGroups, faceSearches, faces])
          tx.orm.delete(table).where(eq(table.model, name)).run()
      })
      rmSync(join(home, name), { recursive: true, force: true })
      return { faces: found }
    },
  }
}
