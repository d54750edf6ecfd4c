/** Users and access: accounts, groups with their members and collections, and what everybody may do where. */
import { type ReactElement, useState } from 'react'
import type { Line, Span } from '../line.ts'
import { Row } from '../parts/rows.tsx'
import type { ScreenProps } from '../screen-props.ts'
import { useKeys } from '../stage.ts'
import { Accounts } from './users/accounts.tsx'
import { Groups } from './users/groups.tsx'
import { Matrix } from './users/matrix.tsx'

const sections = ['Accounts', 'Groups', 'Who may do what'] as const
type Section = (typeof sections)[number]

/** The line of sections; the one that is looked at is bold. */
export function sectionLine(names: readonly string[], chosen: string): Line {
  return [' ', ...names.flatMap((name): Span[] => [{ text: name, style: name === chosen ? 'bold' : 'dim' }, '   '])]
}

export function Users({ width, height, params }: ScreenProps): ReactElement {
  const [section, setSection] = useState<Section>(sections.find(name => name === params.section) ?? 'Accounts')
  const turn = (by: number) =>
    setSection(now => sections[(sections.indexOf(now) + by + sections.length) % sections.length] ?? 'Accounts')
  useKeys(
    {
      title: 'Users and access',
      bindings: [
        {
          keys: ['['],
          shown: '[ ]',
          short: 'section',
          about: 'the section before: accounts, groups, who may do what',
          run: () => turn(-1),
        },
        { keys: [']'], about: 'the next section', run: () => turn(1) },
      ],
    },
    'screen',
  )
  const room = { width, height: height - 2 }
  return (
    <>
      <Row line={sectionLine(sections, section)} width={width} />
      <Row line={[]} width={width} />
      {section === 'Accounts' ? (
        <Accounts {...room} />
      ) : section === 'Groups' ? (
        <Groups {...room} />
      ) : (
        <Matrix {...room} />
      )}
    </>
  )
}
