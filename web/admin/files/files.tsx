/** Files, for global admins: the server's folders on its disks. */
import { useSignals } from '@preact/signals-react/runtime'
import { fileManagerPath } from '../../../schema/api/file-manager.ts'
import { base, sessionOfCalls } from '../../api.ts'
import { address, go } from '../../app/address.ts'
import { theme } from '../../app/options.ts'
import { runtime } from '../../app/runtime.ts'
import { csrf, droppedWorkCount, globalAdmin } from '../../app/session.ts'
import { FileManager } from '../../file-manager/file-manager.tsx'
import { copyText } from '../../items/selection/clipboard.ts'
import { Empty } from '../../kit/empty.tsx'
import { baseTexts } from '../../texts/base.ts'
import { filesTexts } from '../../texts/files.ts'
import { language } from '../../texts/language/language.ts'
import { subscribeToFileChanges } from './file-changes.ts'

/** The CSRF value, which changes with each renewal of the session. */
const postData = (): Record<string, string> => (csrf.peek() === '' ? {} : { _csrf: csrf.peek() })

/** The id under which the browser remembers the file manager's state. */
export const filesId = 'keepsake'

const filesPath = '/admin/files'

/** Each folder adds a history entry, so that Back leads to the previous folder. */
function openFolder(path: string, now: string): void {
  if (path !== now) go(path === '/' ? filesPath : `${filesPath}?${new URLSearchParams({ path })}`)
}

export function Files() {
  useSignals()
  const path = new URLSearchParams(address.value.search).get('path') ?? '/'
  if (!globalAdmin.value) {
    return <Empty title={baseTexts.files}>{filesTexts.onlyGlobalAdmin}</Empty>
  }
  return (
    <div className="files-screen">
      <header className="admin-head pt-0!">
        <h1 className="text-xl font-semibold">{baseTexts.files}</h1>
      </header>
      <FileManager
        // Remounts for another user, so that nothing the previous user left open is shown.
        key={droppedWorkCount.value}
        id={filesId}
        url={base.value + fileManagerPath}
        dark={theme.value === 'dark'}
        locale={language.code}
        texts={language.texts?.fileManager}
        maxHeight="100%"
        maxFileSize={String(runtime.value?.maxFileSize ?? 0)}
        postData={postData}
        fixedTop
        startPath={path}
        onOpen={opened => openFolder(opened, path)}
        session={sessionOfCalls}
        subscribe={subscribeToFileChanges}
        onSelectPath={path =>
          void copyText(Promise.resolve(path), filesTexts.pathCopiedToClipboard, filesTexts.failedToCopyThePath)
        }
      />
    </div>
  )
}
