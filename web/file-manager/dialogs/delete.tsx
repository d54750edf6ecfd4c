/** Asks before files are deleted. */

import { TriangleAlert } from 'lucide-react'
import type { FileNode } from '../../../schema/api/file-manager.ts'
import { useDesk } from '../desk-context.ts'
import { Frame, useDoing } from './frame.tsx'
import { NamedItems } from './named-items.tsx'

export function DeleteDialog({ items, onClose }: { items: readonly FileNode[]; onClose: () => void }) {
  const desk = useDesk()
  const { t, driver, path } = desk
  const { busy, fault, dismiss, run } = useDoing(desk)
  const remove = async () => {
    if (items.length === 0) return
    const done = await run(async () => {
      await desk.changed(await driver.remove(path.peek(), items))
    })
    if (!done) return
    desk.say(t('deleted'))
    onClose()
  }
  return (
    <Frame
      title={t('deleteTitle')}
      onClose={onClose}
      onSubmit={() => void remove()}
      busy={busy}
      fault={fault}
      onDismiss={dismiss}
      actions={
        <>
          <button type="button" className="btn btn-ghost" disabled={busy} onClick={onClose}>
            {t('cancel')}
          </button>
          <button type="submit" className="btn btn-quiet text-error" disabled={busy}>
            {t('yesDelete')}
          </button>
        </>
      }
    >
      <p>{t('deleteQuestion')}</p>
      <NamedItems items={items} />
      <p className="fm-warning">
        <TriangleAlert size={16} aria-hidden="true" />
        {t('deleteWarning')}
      </p>
    </Frame>
  )
}
