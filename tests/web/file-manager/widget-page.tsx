/** A page with only the widget; its options come from the address, as another page might set them. */
import { createRoot } from 'react-dom/client'
import { FileManager } from '../../../web/file-manager/file-manager.tsx'
import type { FileManagerOptions } from '../../../web/file-manager/options.ts'

const words = new URLSearchParams(location.search)
const root = document.createElement('main')
document.body.append(root)

function numberOf(name: string): number | undefined {
  const word = words.get(name)
  return word === null ? undefined : Number(word)
}

const viewMode = numberOf('viewMode')
const given: Partial<FileManagerOptions> = {
  ...(viewMode === undefined ? {} : { viewMode }),
  ...(words.has('fixedTop') ? { fixedTop: true } : {}),
  ...(words.has('dark') ? { dark: words.get('dark') === 'true' } : {}),
  ...(words.has('locale') ? { locale: words.get('locale') ?? '' } : {}),
  ...(words.has('maxHeight') ? { maxHeight: words.get('maxHeight') ?? '' } : {}),
  ...(words.has('maxFileSize') ? { maxFileSize: words.get('maxFileSize') ?? '' } : {}),
  ...(words.has('startPath') ? { startPath: words.get('startPath') ?? '' } : {}),
}
const postData = Object.fromEntries(
  [...words].flatMap(([name, value]) => (name.startsWith('_') ? [[name, value]] : [])),
)

createRoot(root).render(
  <FileManager
    id={words.get('id') ?? 'walk'}
    url="/v1/files"
    postData={postData}
    {...given}
    onSelectPath={path => {
      document.title = path
    }}
  />,
)
