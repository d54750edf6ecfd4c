/** Asks before an archive is unpacked where it lies. */
import type { FileNode } from '../../../schema/api/file-manager.ts'
import { useDesk } from '../desk-context.ts'
import { Frame, useDoing } from './frame.tsx'
import { NamedItems } from './named-items.tsx'

export function UnarchiveDialog({ item, onClose }: { item: FileNode; onClose: () => void }) {
  const desk = useDesk()
  const { t, driver } = desk
  const folder = desk.placeFor(item)
  const { busy, fault, dismiss, run } = useDoing(desk)
  const unpack = async () => {
    const done = await run(async () => desk.changed(await driver.unarchive(folder, item.path)))
    if (!done) return
    desk.say(t('unarchived'))
    onClose()
  }
  return (
    <Frame
      title={t('unarchive')}
      onClose={onClose}
      onSubmit={() => void unpack()}
      busy={busy}
      fault={fault}
      onDismiss={dismiss}
      actions={
        <>
          <button type="button" className="btn btn-ghost" disabled={busy} onClick={onClose}>
            {t('cancel')}
          </button>
          <button type="submit" className="btn btn-primary" disabled={busy}>
            {t('unarchive')}
          </button>
        </>
      }
    >
      <NamedItems items={[item]} />
      <p className="soft" dir="auto">
        {t('unarchiveText', folder)}
      </p>
      <p className="soft" dir="auto">
        {t('unarchiveDots')}
      </p>
    </Frame>
  )
}
