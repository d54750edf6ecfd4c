/** The choice of tag sets to search in: Keywords, Category, People, Author. */
import { useSignals } from '@preact/signals-react/runtime'
import { type SearchableTag, searchableTags } from '../../schema/limits.ts'
import { searchedTags, setSearchedTags } from '../app/current-filter.ts'
import { tagNames } from '../texts/names.ts'
import { searchTexts } from '../texts/search.ts'

function toggle(tag: SearchableTag): void {
  const searched = searchedTags.peek()
  const next = searched.includes(tag)
    ? searched.filter(one => one !== tag)
    : searchableTags.filter(one => one === tag || searched.includes(one))
  // Without a tag set nothing would be found, so the last one stays.
  if (next.length > 0) setSearchedTags(next)
}

export function SearchTags() {
  useSignals()
  return (
    <fieldset className="search-tags">
      <legend className="text-xs font-semibold mb-2">{searchTexts.searchIn}</legend>
      <div className="grid grid-cols-2 gap-x-4 gap-y-1">
        {searchableTags.map(tag => (
          <label key={tag} className="flex items-center gap-2.5 min-h-(--tap) cursor-pointer">
            <input
              type="checkbox"
              className="checkbox checkbox-sm"
              checked={searchedTags.value.includes(tag)}
              onChange={() => toggle(tag)}
            />
            {tagNames[tag]}
          </label>
        ))}
      </div>
      <p className="soft text-xs mt-2">{searchTexts.alwaysSearched}</p>
    </fieldset>
  )
}
