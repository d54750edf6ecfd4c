/** Reads what files and sidecars say again, whatever they look like from outside; it wins over what users wrote. */
import { z } from 'zod'
import { type ScanParts, scanInput, scanJob } from '../scan/scan-job.ts'
import { type JobKind, jobKind, onCollection } from '../work/job-kind.ts'

const input = z.object({ collectionId: z.int().positive() })

/**
 * A full scan: it decodes nothing whose renditions are there, and knows how to put together files, companions and
 * sidecars. Tag sets that a file says nothing of stay as they are.
 */
export function metadataImportJob(parts: ScanParts): JobKind {
  const scan = scanJob(parts)
  return jobKind({
    kind: 'metadata-import',
    input,
    ...onCollection,
    run: context => scan.run({ ...context, input: scanInput.parse({ ...context.input, full: true, fileWins: true }) }),
  })
}
