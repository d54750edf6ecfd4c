/** The migrations in order, as text inside the executable. Number n brings the database to user_version n + 1. */
import house from './migrations/0000_house.sql' with { type: 'text' }
import triggers from './migrations/0001_triggers.sql' with { type: 'text' }
import accessCount from './migrations/0002_access_count.sql' with { type: 'text' }
import calls from './migrations/0003_calls.sql' with { type: 'text' }
import choices from './migrations/0004_choices.sql' with { type: 'text' }
import foundPlaces from './migrations/0005_found_places.sql' with { type: 'text' }
import hiddenBuilds from './migrations/0006_hidden_builds.sql' with { type: 'text' }
import faces from './migrations/0007_faces.sql' with { type: 'text' }
import security from './migrations/0008_security.sql' with { type: 'text' }
import sealedShares from './migrations/0009_sealed_shares.sql' with { type: 'text' }
import pictureHashes from './migrations/0010_picture_hashes.sql' with { type: 'text' }
import historyParts from './migrations/0011_history_parts.sql' with { type: 'text' }
import problemCodes from './migrations/0012_problem_codes.sql' with { type: 'text' }
import unlistedItems from './migrations/0013_unlisted_items.sql' with { type: 'text' }
import favourites from './migrations/0014_favourites.sql' with { type: 'text' }
import albums from './migrations/0015_albums.sql' with { type: 'text' }
import links from './migrations/0016_links.sql' with { type: 'text' }
import placeNames from './migrations/0017_place_names.sql' with { type: 'text' }
import personCover from './migrations/0018_person_cover.sql' with { type: 'text' }
import userLanguage from './migrations/0019_user_language.sql' with { type: 'text' }
import regions from './migrations/0020_regions.sql' with { type: 'text' }
import foldedSearch from './migrations/0021_folded_search.sql' with { type: 'text' }

export const migrations: readonly { name: string; sql: string }[] = [
  { name: '0000_house', sql: house },
  { name: '0001_triggers', sql: triggers },
  { name: '0002_access_count', sql: accessCount },
  { name: '0003_calls', sql: calls },
  { name: '0004_choices', sql: choices },
  { name: '0005_found_places', sql: foundPlaces },
  { name: '0006_hidden_builds', sql: hiddenBuilds },
  { name: '0007_faces', sql: faces },
  { name: '0008_security', sql: security },
  { name: '0009_sealed_shares', sql: sealedShares },
  { name: '0010_picture_hashes', sql: pictureHashes },
  { name: '0011_history_parts', sql: historyParts },
  { name: '0012_problem_codes', sql: problemCodes },
  { name: '0013_unlisted_items', sql: unlistedItems },
  { name: '0014_favourites', sql: favourites },
  { name: '0015_albums', sql: albums },
  { name: '0016_links', sql: links },
  { name: '0017_place_names', sql: placeNames },
  { name: '0018_person_cover', sql: personCover },
  { name: '0019_user_language', sql: userLanguage },
  { name: '0020_regions', sql: regions },
  { name: '0021_folded_search', sql: foldedSearch },
]
