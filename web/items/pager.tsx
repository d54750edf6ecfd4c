/** The pager of the gallery. */
import { useSignals } from '@preact/signals-react/runtime'
import { page, setPage } from '../app/current-filter.ts'
import { pageSize } from '../app/options.ts'
import { PageBar } from '../kit/table/page-bar.tsx'
import { choosePageSize } from './page-size.ts'

export function Pager({ total }: { total: number }) {
  useSignals()
  return <PageBar total={total} page={page.value} size={pageSize.value} onPage={setPage} onSize={choosePageSize} />
}
