/** Finds the sample photos and videos, for tests that read real files. */
import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * The directory of the samples (it holds EXPECTED.json), or null where there is none: KEEPSAKE_SAMPLES, which may be
 * relative to the project's root, by default ../shared/samples.
 */
export function samplesDirectory(): string | null {
  const directory = resolve(import.meta.dir, '../..', process.env.KEEPSAKE_SAMPLES ?? '../shared/samples')
  return existsSync(join(directory, 'EXPECTED.json')) ? directory : null
}

/** Whether tests fail instead of being skipped when samples or a tool are missing. */
export function mustNotSkip(): boolean {
  return process.env.KEEPSAKE_CI === '1'
}

/** Groups tests that need the samples. Without samples, the group is one skipped test; in CI, this test fails. */
export function describeWithSamples(name: string, tests: (samples: string) => void): void {
  const samples = samplesDirectory()
  if (samples !== null) {
    describe(name, () => tests(samples))
    return
  }
  const message = `${name}: the samples are missing (set KEEPSAKE_SAMPLES)`
  if (mustNotSkip()) {
    test(message, () => expect(samples).not.toBeNull())
  } else {
    console.warn(`skipped: ${message}`)
    test.skip(message, () => {})
  }
}

/** One entry of EXPECTED.json: what an independent reader (exiftool, ffprobe) reports for a sample. See SOURCES.md there. */
export interface ExpectedFile {
  path: string
  bytes: number
  kind: 'image' | 'video' | 'sidecar' | 'archive' | 'other'
  fileType?: string
  mime?: string
  width?: number
  height?: number
  orientation?: number
  dateTimeOriginal?: string
  createDate?: string
  dateCreated?: string
  offsetTimeOriginal?: string
  gps?: { latitude: number | null; longitude: number | null; altitude: number | null }
  iptcKeywords?: unknown[]
  xmpSubject?: unknown[]
  hierarchicalSubject?: unknown[]
  xpKeywords?: unknown
  category?: unknown[]
  supplementalCategories?: unknown[]
  title?: unknown
  objectName?: unknown
  description?: { exifImageDescription: unknown; xmpDescription: unknown; iptcCaption: unknown }
  rating?: number
  make?: unknown
  model?: unknown
  city?: unknown
  country?: unknown
  mwgRegions?: {
    name: unknown
    type: string | null
    x: number | null
    y: number | null
    w: number | null
    h: number | null
    unit: string | null
  }[]
  mwgAppliedToDimensions?: { W: number; H: number; Unit: string }
  microsoftRegions?: { name: unknown; rectangle: string | null }[]
  personInImage?: unknown[]
  readerError?: string
  readerWarning?: string
  pixels?: { decodes: boolean | null; width?: number; height?: number; frames?: number }
  displayWidth?: number
  displayHeight?: number
  video?: {
    readable: boolean
    durationSeconds: number | null
    width: number | null
    height: number | null
    rotationClockwise: number | null
    videoCodec: string | null
    audioCodec: string | null
    creationTime: string | null
    location: string | null
    firstFrameDecodes: boolean | null
  }
}

/** All entries of EXPECTED.json. */
export function expectedFiles(samples: string): ExpectedFile[] {
  const json: { files: ExpectedFile[] } = JSON.parse(readFileSync(join(samples, 'EXPECTED.json'), 'utf8'))
  return json.files
}
