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

interface HexValueProps {
  /** The label of the copy button. */
  copies: string
  hex: string
  /** Replaces the shown value. */
  shown?: string | undefined
}

/** A value in hex, shown in groups and copied without gaps. */
export function HexValue({ copies, hex, shown = groupHex(hex) }: HexValueProps) {
  return (
    <span className={styles.hex}>
      <code>{shown}</code>
      <CopyButton label={copies} text={() => hex} />
    </span>
  )
}

export function HexFact({ name, copies, hex }: { name: string; copies: string; hex: string }) {
  return (
    <Fact name={name}>
      <HexValue copies={copies} hex={hex} />
    </Fact>
  )
}
