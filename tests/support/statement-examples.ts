/** Arguments for functions of `*.sql.ts` that build statements: `path name` → one list of arguments per form of statement. */
import { filterAndItemExamples } from './filter-statements.ts'

export const statementExamples: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  ...filterAndItemExamples,
  'core/exchange/exporting/exporting.sql.ts csvItems': [['0, 1', 'i.taken > ?']],
  'core/people/faces/forgetting.sql.ts facesInHistoryOf': [['before'], ['after']],
  'core/people/faces/forgetting.sql.ts facesInHistoryOn': [['before'], ['after']],
  'core/people/faces/forgetting.sql.ts dropFacesInHistoryOf': [['before'], ['after']],
  'core/people/faces/forgetting.sql.ts dropFacesInHistory': [['before'], ['after']],
  'core/people/faces/groups.sql.ts facesOfGroup': [['f.model = ?']],
  'core/people/faces/groups.sql.ts chosenFaces': [['f.model = ?']],
  'core/people/faces/groups.sql.ts groupsWith': [
    ['g.id = ?', 'f.model = ?'],
    ['g.ignored = ?', 'f.model = ?'],
  ],
  'core/vocabulary/vocabulary.sql.ts itemsWhere': [['x.key = 1']],
  'core/vocabulary/vocabulary.sql.ts countsOf': [
    ['keystrings', 0, 'c.tags & 1'],
    ['people', 1, '1'],
    ['objects', 2, '1'],
  ],
  'core/vocabulary/vocabulary.sql.ts countWhere': [['c.key = 1']],
  'core/vocabulary/vocabulary.sql.ts countUnhidden': [
    [4, { collections: 'all', states: [0], from: 0, to: 1000 }, [8]],
    [4, { collections: [1, 2], states: [0], from: 0, to: 1000 }, [8, 12]],
  ],
  'core/items/item-files.sql.ts mayBeTried': [['$now', 'code']],
  'core/words/words.sql.ts formerWords': [['content'], ['name']],
  'core/collections/collections.sql.ts itemsToLose': [[true], [false]],
  'core/realtime/realtime.sql.ts itemsAmong': [['i.state = 0']],
  'core/realtime/realtime.sql.ts keyedAmong': [['i.state = 0']],
  'core/work/work.sql.ts presentCount': [[true], [false]],
  'core/work/work.sql.ts presentFiles': [[true], [false]],
  'core/work/work.sql.ts presentIds': [[true], [false]],
}
