/** Wires everything of the library that is about faces. */
import { availableParallelism } from 'node:os'
import { limits } from '../../../schema/limits.ts'
import type { Settings } from '../../../schema/settings.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { LibraryDatabase } from '../../kernel/database/database.ts'
import type { Log } from '../../kernel/log.ts'
import { ownCommand } from '../../kernel/worker-command.ts'
import type { JobKind } from '../../work/job-kind.ts'
import type { Jobs } from '../../work/jobs.ts'
import { createFoundFaces } from './detected-faces.ts'
import { createFaces } from './faces.ts'
import { type FaceParts, facesJob, groupsJob } from './faces-job.ts'
import { createFaceGroups } from './groups.ts'
import { createKnownFaces } from './known.ts'
import { createModels } from './models/models.ts'
import { createFacePool } from './workers/pool.ts'

/** Each worker has its own networks, of some 300 MB. */
const maxWorkers = 4

interface Parts {
  db: LibraryDatabase
  clock: Clock
  log: Log
  settings: Pick<Settings, 'jobs' | 'ffmpeg' | 'ffprobe' | 'faces.model'>
}

/** Name and version of the model in the settings. */
const modelOf = ({ 'faces.model': added }: Parts['settings']) => (added === '' ? limits.faceModel : added)

export function faceKinds({ db, clock, log, settings, data }: Parts & { data: string }): JobKind[] {
  const models = createModels({ db, data, nameInUse: settings['faces.model'] })
  const model = modelOf(settings)
  // Leaves one core free to serve users.
  const widthOf = (jobs: number) => Math.min(maxWorkers, jobs > 0 ? jobs : Math.max(1, availableParallelism() - 1))
  const openFacePool: FaceParts['openFacePool'] = ({ jobs }) =>
    createFacePool({
      command: [...ownCommand(), 'worker', 'faces'],
      width: widthOf(jobs > 0 ? jobs : settings.jobs),
      start: { model: models.directoryInUse(), ffmpeg: settings.ffmpeg, ffprobe: settings.ffprobe },
      nice: 10,
      log,
    })
  const parts = { db, clock, log, model, openFacePool }
  return [facesJob(parts), groupsJob(parts)]
}

export function createRecognition({
  db,
  clock,
  jobs,
  settings,
  data,
}: Pick<Parts, 'db' | 'clock' | 'settings'> & { jobs: Jobs; data: string }) {
  const model = modelOf(settings)
  const known = createKnownFaces(db)
  return {
    faces: createFaces({ db, clock }),
    foundFaces: createFoundFaces({ db, known, jobs, model }),
    faceGroups: createFaceGroups({ db, known, model }),
    models: createModels({ db, data, nameInUse: settings['faces.model'] }),
  }
}

export type Recognition = ReturnType<typeof createRecognition>
