/** The shape of a translation. A file in `translations` has one language; a text that it lacks is shown in English. */
import type { auditMessages, auditPhrases } from '../../../schema/audit-text.ts'
import type { stepMessages } from '../../../schema/history-words.ts'
import type { jobActivities, jobStates, jobTitles } from '../../../schema/job-words.ts'
import type { accountTexts } from '../account.ts'
import type { duplicatesTexts } from '../admin/duplicates.ts'
import type { managementTexts } from '../admin/management.ts'
import type { taggingTexts } from '../admin/tagging.ts'
import type { usersTexts } from '../admin/users.ts'
import type { adminTexts } from '../admin.ts'
import type { albumsTexts } from '../albums.ts'
import type { baseTexts } from '../base.ts'
import type { collectionsTexts } from '../collections.ts'
import type { filesTexts } from '../files.ts'
import type { galleryTexts } from '../gallery.ts'
import type { helpTexts } from '../help.ts'
import type { jobsTexts, stepParts } from '../jobs.ts'
import type { manyTexts } from '../many-items.ts'
import type { mapTexts } from '../map.ts'
import type { metadataTexts } from '../metadata.ts'
import type { jobResultTexts } from '../names.ts'
import type { onThisDayTexts } from '../on-this-day.ts'
import type { peopleTexts } from '../people.ts'
import type { saverTexts } from '../saver.ts'
import type { searchTexts } from '../search.ts'
import type { selectionTexts } from '../selection.ts'
import type { sharingTexts } from '../sharing.ts'
import type { shellTexts } from '../shell.ts'
import type { uploadsTexts } from '../uploads.ts'
import type { viewerTexts } from '../viewer.ts'
import type { Message } from './language.ts'
import type { ServerMessage } from './server-messages.ts'

type AreaOf<English> = { readonly [Key in keyof English]?: Message }

/** What a translator writes. Keys are checked here, placeholders and plural forms by `tests/translations.test.ts`. */
export interface TranslationFile {
  readonly base: AreaOf<typeof baseTexts>
  readonly shell: AreaOf<typeof shellTexts>
  readonly account: AreaOf<typeof accountTexts>
  readonly gallery: AreaOf<typeof galleryTexts>
  readonly search: AreaOf<typeof searchTexts>
  readonly viewer: AreaOf<typeof viewerTexts>
  readonly selection: AreaOf<typeof selectionTexts>
  readonly many: AreaOf<typeof manyTexts>
  readonly metadata: AreaOf<typeof metadataTexts>
  readonly albums: AreaOf<typeof albumsTexts>
  readonly people: AreaOf<typeof peopleTexts>
  readonly map: AreaOf<typeof mapTexts>
  readonly onThisDay: AreaOf<typeof onThisDayTexts>
  readonly sharing: AreaOf<typeof sharingTexts>
  readonly saver: AreaOf<typeof saverTexts>
  readonly uploads: AreaOf<typeof uploadsTexts>
  readonly files: AreaOf<typeof filesTexts>
  readonly admin: AreaOf<typeof adminTexts>
  readonly collections: AreaOf<typeof collectionsTexts>
  readonly management: AreaOf<typeof managementTexts>
  readonly users: AreaOf<typeof usersTexts>
  readonly tagging: AreaOf<typeof taggingTexts>
  readonly duplicates: AreaOf<typeof duplicatesTexts>
  readonly jobs: AreaOf<typeof jobsTexts>
  readonly jobActivities: AreaOf<typeof jobActivities>
  readonly jobTitles: AreaOf<typeof jobTitles>
  readonly jobStates: AreaOf<typeof jobStates>
  readonly jobResults: AreaOf<typeof jobResultTexts>
  readonly steps: AreaOf<typeof stepMessages>
  readonly stepParts: AreaOf<typeof stepParts>
  readonly auditActions: AreaOf<typeof auditMessages>
  readonly auditPhrases: AreaOf<typeof auditPhrases>
  readonly help: AreaOf<typeof helpTexts>
  /** Messages of the server by their English patterns. */
  readonly server: { readonly [Pattern in ServerMessage]?: string }
  /** The file manager's texts; absent in languages that it has itself. */
  readonly fileManager?: Readonly<Record<string, string>>
}
