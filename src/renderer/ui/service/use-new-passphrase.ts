import { useState } from 'react'

/** A passphrase that is being chosen: typed twice, and judged once it was handed in. */
export interface NewPassphrase {
  readonly least: 8 | 12
  readonly passphrase: string
  readonly again: string
  /** What is wrong with it, once it was handed in. */
  readonly fault: 'short' | 'differs' | undefined
  readonly type: (passphrase: string) => void
  readonly repeat: (again: string) => void
  /** True where it can be used; else its faults are said from now on. */
  readonly handIn: () => boolean
  /** Forgets it. */
  readonly clear: () => void
}

/** @param least characters: 12 where whoever finds what it seals can try passphrases for as long as they like */
export function useNewPassphrase(least: 8 | 12): NewPassphrase {
  const [passphrase, type] = useState('')
  const [again, repeat] = useState('')
  const [tried, setTried] = useState(false)
  const fault = passphrase.length < least ? 'short' : passphrase !== again ? 'differs' : undefined
  return {
    least,
    passphrase,
    again,
    type,
    repeat,
    fault: tried ? fault : undefined,
    handIn() {
      setTried(true)
      return fault === undefined
    },
    clear() {
      type('')
      repeat('')
      setTried(false)
    },
  }
}
