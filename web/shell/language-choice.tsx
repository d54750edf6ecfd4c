/** The choice of the language of the pages. */
import { useSignals } from '@preact/signals-react/runtime'
import { useId } from 'react'
import { compareNames } from '../../schema/locale.ts'
import { chosenLanguage } from '../app/options.ts'
import { Select } from '../kit/form/select.tsx'
import { language } from '../texts/language/language.ts'
import { shellTexts } from '../texts/shell.ts'
import { languageName, setLanguage } from './own-language.ts'

export function LanguageChoice() {
  useSignals()
  const id = useId()
  const named = language.codes.map(code => ({ value: code, text: languageName(code) }))
  return (
    <div className="field min-w-0">
      <span>
        <label htmlFor={id}>{shellTexts.language}</label>
      </span>
      <Select
        id={id}
        value={chosenLanguage.value}
        choices={[
          { value: '', text: shellTexts.asInTheBrowser },
          ...named.sort((a, b) => compareNames(a.text, b.text)),
        ]}
        onChoose={code => void setLanguage(code)}
      />
    </div>
  )
}
