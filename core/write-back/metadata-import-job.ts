/** Reads files and sidecars again, even if they look unchanged; their values replace those of users. */
import { z } from 'zod'
import { type ScanParts, scanInput, scanJob } from '../scan/scan-job.ts'
import { type JobKind, jobKind, onCollection } from '../work/job-kind.ts'

const input = z.object({ collectionId: z.int().positive() })

/** A full scan; pictures are decoded only if renditions are missing. Tag sets that a file lacks are kept. */
export function metadataImportJob(parts: ScanParts): JobKind {
  const scan = scanJob(parts)
  return jobKind({
    kind: 'metadata-import',
    input,
    ...onCollection,
    run: context => scan.run({ ...context, input: scanInput.parse({ ...context.input, full: true, fileWins: true }) }),
  })
}
