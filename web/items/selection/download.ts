/** Downloads the originals of all items that the filter matches, or of chosen items, as a zip. */
import { downloadAddress } from '../../../schema/addresses.ts'
import { Refused } from '../../../schema/client.ts'
import { limits } from '../../../schema/limits.ts'
import { api, base, refusalAt } from '../../api.ts'
import { filter, filterQuery } from '../../app/current-filter.ts'
import { attempt, report, say } from '../../app/messages.ts'
import { saveAs } from '../../kit/save-as.ts'
import { baseTexts } from '../../texts/base.ts'
import { isCurrent, list } from '../items.ts'

/** Why this number of items cannot be downloaded; null if it can. */
export function downloadFault(count: number): string | null {
  if (count === 0) return baseTexts.noItemsAvailable
  if (count <= limits.downloadItems) return null
  return baseTexts.tooManyToDownload({ most: limits.downloadItems, count })
}

/** Starts a download. Pages do not learn why a download failed, so the address is requested once before. */
async function startDownload(address: string): Promise<void> {
  try {
    const refusal = await refusalAt(address)
    if (refusal !== null) throw refusal
    say(baseTexts.downloadBegins, baseTexts.downloadHint)
    saveAs(address)
  } catch (error) {
    if (error instanceof Refused && error.status === 404) say(baseTexts.noItemsAvailable)
    else report(error, baseTexts.failedToDownload)
  }
}

async function countMatching(): Promise<number> {
  if (isCurrent.peek() && list.peek() !== null) return list.peek()?.total ?? 0
  const response = await api.items.list({
    params: { collectionId: filter.peek().collection },
    query: { ...filterQuery.peek(), limit: 1 },
  })
  return response._meta.total_records
}

/** Downloads everything that the present filter matches. */
export async function downloadCurrent(): Promise<void> {
  await attempt(baseTexts.failedToDownload, async () => {
    const fault = downloadFault(await countMatching())
    if (fault !== null) say(fault)
    else await startDownload(downloadAddress(filter.peek().collection, filterQuery.peek(), base.value))
  })
}

export async function downloadItems(ids: readonly number[]): Promise<void> {
  const fault = downloadFault(ids.length)
  if (fault !== null) return say(fault)
  const { includeHidden } = filterQuery.peek()
  const address = downloadAddress(
    0,
    { items: ids.join(','), ...(includeHidden === undefined ? {} : { includeHidden }) },
    base.value,
  )
  if (address.length <= limits.addressLength) return startDownload(address)
  // Servers refuse longer addresses. Ids differ in length, so the largest number is only estimated.
  const most = Math.floor((ids.length * limits.addressLength) / address.length)
  const rounded = most < 200 ? most : Math.floor(most / 100) * 100
  say(baseTexts.tooManyChosen({ most: rounded, count: ids.length }), baseTexts.tooManyChosenHint)
}
