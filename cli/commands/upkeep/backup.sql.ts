/** The number of bytes that a copy of the database would have. */
import { number, select } from '../../../core/kernel/database/statement.ts'

export const usedBytes = select(
  { bytes: number('(page_count - freelist_count) * page_size') },
  'FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()',
)
