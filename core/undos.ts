/** How entries of the history are taken back, by operation; those of items' parts need none (see `editing/undo.ts`). */
import type { UndoTable } from './editing/undo.ts'
import { leftoverUndos } from './exchange/restoring/leftovers.ts'
import { folderMoveUndo } from './file-manager/changes/undo-folder-moves.ts'
import type { Disk } from './files/disk.ts'
import type { MovingParts } from './moving/sort-job.ts'
import { moveUndo } from './moving/undo-moves.ts'
import { faceGroupUndos } from './people/faces/group-steps.ts'
import { redoPeopleMerge, undoPeopleMerge } from './people/merge-people.ts'
import { redoKeystringsMerge, undoKeystringsMerge } from './vocabulary/merge-keystrings.ts'
import { vocabularyUndos } from './vocabulary/undo-vocabulary.ts'

export function undoTable(moving: MovingParts & { disk: Disk }): UndoTable {
  return {
    'person.merge': undoPeopleMerge,
    'person.restore': redoPeopleMerge,
    'keystring.merge': undoKeystringsMerge,
    'keystring.restore': redoKeystringsMerge,
    'file.move': moveUndo(moving),
    'folder.move': folderMoveUndo(moving),
    ...faceGroupUndos,
    ...leftoverUndos,
    ...vocabularyUndos,
  }
}
