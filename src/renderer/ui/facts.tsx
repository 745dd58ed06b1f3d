import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'
import styles from './facts.module.css'
import { groupHex } from './format/number.ts'

/** Names and their values, separated by hairlines. */
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

/**
 * A value in hex, shown in groups and copied without gaps.
 * @param copies the label of the copy button
 */
export function HexFact({ name, copies, hex }: { name: string; copies: string; hex: string }) {
  return (
    <Fact name={name}>
      <span className={styles.hex}>
        <code>{groupHex(hex)}</code>
        <CopyButton label={copies} text={() => hex} />
      </span>
    </Fact>
  )
}
