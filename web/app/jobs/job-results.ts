/** Texts for what a job has done. */

import type { Job } from '../../../schema/api/jobs.ts'
import { listText } from '../../kit/words.ts'
import { serverMessage } from '../../texts/language/server-message.ts'
import { jobName, jobResultTexts } from '../../texts/names.ts'

/** The text when a job is done, by kind. The end of other kinds is not reported. */
const doneTexts: Record<string, (values: { name: string }) => string> = {
  scan: jobResultTexts.scanned,
  sort: jobResultTexts.sorted,
  import: jobResultTexts.imported,
  'metadata-import': jobResultTexts.metadataRead,
  'metadata-export': jobResultTexts.metadataWritten,
  faces: jobResultTexts.facesFound,
}

const countNames = ['new', 'changed', 'moved', 'copied', 'written', 'missing', 'skipped'] as const

/** A job's counts, such as '37 new, 4 changed, 1 problem'; '' for none. */
export function countsText({ counts, problems }: Pick<Job, 'counts' | 'problems'>): string {
  const parts = countNames.flatMap(name => {
    const number = counts[name] ?? 0
    return number === 0 ? [] : [jobResultTexts[name]({ number })]
  })
  if (problems > 0) parts.push(jobResultTexts.problemCount({ count: problems }))
  return listText(parts)
}

interface JobEndMessage {
  level: 'status' | 'notice' | 'error'
  text: string
  detail: string
}

/** The message about an ended job; null if it was cancelled or its kind is not reported. `name` is its collection's. */
export function jobEndMessage(
  job: Pick<Job, 'kind' | 'state' | 'counts' | 'problems' | 'message' | 'error'>,
  name: string,
): JobEndMessage | null {
  const done = doneTexts[job.kind]
  if (done === undefined) return null
  const title = jobName(job.kind, name)
  switch (job.state) {
    case 'done': {
      const level = job.problems > 0 ? 'notice' : 'status'
      const detail = [countsText(job), job.kind === 'scan' ? '' : serverMessage(job.message)]
        .filter(text => text !== '')
        .join('. ')
      return { level, text: done({ name }), detail: detail || jobResultTexts.unchanged }
    }
    case 'stopped':
      return { level: 'notice', text: jobResultTexts.stopped({ job: title }), detail: serverMessage(job.message) }
    case 'failed':
      return { level: 'error', text: jobResultTexts.failed({ job: title }), detail: serverMessage(job.error ?? '') }
    default:
      return null
  }
}
