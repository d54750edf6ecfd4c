/** Asks before files are moved; if they were not dropped on a folder, the target is chosen here. */
import { ChevronRight, CornerLeftUp, Folder } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { FileNode } from '../../../schema/api/file-manager.ts'
import { useController } from '../controller-context.ts'
import { mayMoveInto, parentOf } from '../paths.ts'
import { useRequest } from '../use-request.ts'
import { useDialogAction } from './frame.tsx'
import { NamedItems } from './named-items.tsx'
import { ConfirmDialog } from './question.tsx'

/** Subfolders; null until they are loaded. */
function useFolders(path: string, onFault: (message: string) => void): readonly FileNode[] | null {
  const { driver } = useController()
  const [folders, setFolders] = useState<{ path: string; nodes: readonly FileNode[] } | null>(null)
  useRequest(path, signal => driver.index(path, signal), {
    onLoaded: ({ files }) => setFolders({ path, nodes: files.filter(({ type }) => type === 'dir') }),
    onFault,
  })
  return folders?.path === path ? folders.nodes : null
}

/** Maximum number of subfolders shown; for more, the user opens the folder in the file manager. */
const maxShownFolders = 500

function FolderChooser({
  at,
  items,
  onGo,
  onFault,
}: {
  at: string
  items: readonly FileNode[]
  onGo: (path: string) => void
  onFault: (message: string) => void
}) {
  const { t } = useController()
  const folders = useFolders(at, onFault)
  const moved = new Set(items.map(({ path }) => path))
  const list = useRef<HTMLUListElement>(null)
  // The opened folder, which had the focus, is not in the next list, so focus the list itself.
  const go = (path: string) => {
    list.current?.focus()
    onGo(path)
  }
  useEffect(() => {
    if (folders !== null && document.activeElement === list.current)
      list.current?.querySelector<HTMLElement>('button:enabled')?.focus()
  }, [folders])
  return (
    <ul
      ref={list}
      tabIndex={-1}
      className="fm-items fm-chooser"
      aria-label={t('chooseTarget')}
      aria-busy={folders === null}
    >
      {at !== '/' && (
        <li>
          <button type="button" onClick={() => go(parentOf(at))}>
            <CornerLeftUp size={18} aria-hidden="true" />
            <span className="fm-items-name">{t('goUp')}</span>
          </button>
        </li>
      )}
      {folders?.slice(0, maxShownFolders).map(({ path, basename }) => (
        <li key={path}>
          <button type="button" disabled={moved.has(path)} onClick={() => go(path)}>
            <Folder size={18} className="fm-folder-icon" aria-hidden="true" />
            <span className="fm-items-name" dir="auto">
              {basename}
            </span>
            <ChevronRight size={16} className="soft" aria-hidden="true" />
          </button>
        </li>
      ))}
      {folders?.length === 0 && <li className="soft fm-items-none">{t('noFolders')}</li>}
    </ul>
  )
}

export function MoveDialog({
  items,
  target,
  onClose,
}: {
  items: readonly FileNode[]
  target: string | null
  onClose: () => void
}) {
  const controller = useController()
  const { t, driver, path, isFixedFolder, targetFolderFor } = controller
  const [to, setTo] = useState(target ?? targetFolderFor(items[0]))
  const dialogAction = useDialogAction(controller)
  const mayMove = mayMoveInto(to, items) && !isFixedFolder(to)
  return (
    <ConfirmDialog
      title={t('moveTitle')}
      actionText={t('yesMove')}
      disabled={!mayMove}
      dialogAction={dialogAction}
      act={async () => controller.changed(await driver.move(path.peek(), items, to))}
      doneText={t('moved')}
      onClose={onClose}
      width={520}
    >
      <NamedItems items={items} paths />
      <p className="fm-target">
        <span className="soft">{t('target')}</span>
        <b title={to}>
          <bdi>{to}</bdi>
        </b>
      </p>
      {target === null && <FolderChooser at={to} items={items} onGo={setTo} onFault={dialogAction.setFault} />}
      <p>{t('moveQuestion')}</p>
    </ConfirmDialog>
  )
}
