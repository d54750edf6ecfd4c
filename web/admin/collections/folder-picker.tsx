/** The folder picker: the file manager with folders only, in a dialog. */
import { useSignals } from '@preact/signals-react/runtime'
import { useState } from 'react'
import { ownCollections } from '../../app/collections.ts'
import { theme } from '../../app/options.ts'
import { FileRefused } from '../../file-manager/driver.ts'
import { FileManager } from '../../file-manager/file-manager.tsx'
import { createFolderDriver, nearestFolder } from '../../file-manager/folder-driver.ts'
import { readPreferences } from '../../file-manager/stored.ts'
import { Modal } from '../../kit/layers/modal.tsx'
import { useRun } from '../../kit/time/use-run.ts'
import { baseTexts } from '../../texts/base.ts'
import { collectionsTexts } from '../../texts/collections.ts'
import { language } from '../../texts/language/language.ts'
import { filesId } from '../files/files.tsx'
import { listFolders, startFolderOf } from './folders.ts'

const source = {
  async list(path: string) {
    const response = await listFolders(path)
    if ('fault' in response) throw new FileRefused(response.fault)
    return response.folders
  },
}
const driver = createFolderDriver(source)

/** The initial folder; null until it is known. */
function useStartFolder(typed: string): string | null {
  const [start, setStart] = useState<string | null>(null)
  useRun(async signal => {
    const path = await nearestFolder(source, startFolderOf(typed))
    if (!signal.aborted) setStart(path)
  }, [])
  return start
}

export function FolderPicker({
  typed,
  onChoose,
  onClose,
}: {
  /** The field's value, from which the initial folder is derived. */
  typed: string
  onChoose: (path: string) => void
  onClose: () => void
}) {
  useSignals()
  const start = useStartFolder(typed)
  const names = new Map(ownCollections.value.map(one => [one.path, one.name]))
  return (
    <Modal title={baseTexts.chooseAFolder} onClose={onClose} width={600}>
      <div className="folder-picker">
        {start === null ? (
          <div className="folder-picker-coming" role="status" aria-label={baseTexts.loading}>
            <div className="coming-line w-2/5" />
            <div className="coming-line" />
            <div className="coming-line w-4/5" />
          </div>
        ) : (
          <FileManager
            id={`${filesId}.folders`}
            url=""
            driver={driver}
            dark={theme.value === 'dark'}
            locale={readPreferences(filesId).locale ?? language.code}
            texts={language.texts?.fileManager}
            maxHeight="100%"
            startPath={start}
            noteOf={path => {
              const name = names.get(path)
              return name === undefined ? '' : collectionsTexts.collection({ name })
            }}
            refusalOf={path => {
              if (path === '/') return collectionsTexts.openAFolder
              const name = names.get(path)
              return name === undefined ? '' : collectionsTexts.alreadyCollection({ name })
            }}
            onSelectPath={path => {
              onChoose(path)
              onClose()
            }}
          />
        )}
      </div>
    </Modal>
  )
}
