/** Asks before files are deleted. */

import { TriangleAlert } from 'lucide-react'
import type { FileNode } from '../../../schema/api/file-manager.ts'
import { useDesk } from '../desk-context.ts'
import { useDoing } from './frame.tsx'
import { NamedItems } from './named-items.tsx'
import { Question } from './question.tsx'

export function DeleteDialog({ items, onClose }: { items: readonly FileNode[]; onClose: () => void }) {
  const desk = useDesk()
  const { t, driver, path } = desk
  const doing = useDoing(desk)
  return (
    <Question
      title={t('deleteTitle')}
      action={t('yesDelete')}
      danger
      disabled={items.length === 0}
      doing={doing}
      act={async () => desk.changed(await driver.remove(path.peek(), items))}
      said={t('deleted')}
      onClose={onClose}
    >
      <p>{t('deleteQuestion')}</p>
      <NamedItems items={items} />
      <p className="fm-warning">
        <TriangleAlert size={16} aria-hidden="true" />
        {t('deleteWarning')}
      </p>
    </Question>
  )
}
