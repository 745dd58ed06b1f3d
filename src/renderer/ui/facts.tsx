import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'
import { midSentence } from './language/language.ts'
import styles from './facts.module.css'
import { groupHex } from './format/number.ts'

/** Names and what they stand for, a hairline apart. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** A value in hex, grouped for the eye and copied as one. */
export function HexFact({ name, hex }: { name: string; hex: string }) {
  const what = midSentence(name)
  return (
    <Fact name={name}>
      <span className={styles.hex}>
        <code>{groupHex(hex)}</code>
        <CopyButton label={t`Copy ${what}`} text={() => hex} />
      </span>
    </Fact>
  )
}
