/** Queries on directories and files that the library knows. */
import { dirs, files } from '../../schema/tables/collections.ts'
import { journal } from '../../schema/tables/journal.ts'
import { columns } from '../kernel/database/columns.ts'
import { select } from '../kernel/database/statement.ts'

export const filesOfDirectory = select(
  {
    ...columns(files, 'id', 'nameBytes', 'itemId', 'role', 'size'),
    mtimeSeconds: files.mtime,
    mtimeNanoseconds: files.mtimeNs,
  },
  'FROM files WHERE dir_id = ?',
)

export const directoryAt = select(
  { id: dirs.id, fingerprint: dirs.fingerprint },
  'FROM dirs WHERE collection_id = ? AND path_bytes = ?',
)

export const directoriesOf = select({ id: dirs.id, pathBytes: dirs.pathBytes }, 'FROM dirs WHERE collection_id = ?')

/** Journal entries of files that scans read. */
export const journalPaths = select(
  { operation: journal.operation, source: journal.source, destination: journal.destination },
  "FROM journal WHERE operation IN ('move', 'copy', 'remove')",
)
