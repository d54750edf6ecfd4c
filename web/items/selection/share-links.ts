/** Shares: temporary public links to single items. */
import type { Item } from '../../../schema/api/items.ts'
import type { limits } from '../../../schema/limits.ts'
import { api } from '../../api.ts'
import { baseTexts } from '../../texts/base.ts'
import { copyText } from './clipboard.ts'

export type ShareHours = (typeof limits.shareHours)[number]

/** Creates a share and copies its link. Failures are reported. */
export async function shareItem(item: Item, hours: ShareHours): Promise<void> {
  const link = api.shares
    .create({ params: { id: item.id }, body: { expires: hours } })
    .then(({ name }) => `${location.origin}/share/${name}`)
  await copyText(link, baseTexts.shareLinkCopiedToClipboard, baseTexts.failedToCreateShare)
}
