import { useState } from 'react'

/** A passphrase that is being chosen: typed twice, and checked when it is submitted. */
export interface NewPassphrase {
  readonly least: 8 | 12
  readonly passphrase: string
  readonly again: string
  /** The problem with it, once it was submitted. */
  readonly fault: 'short' | 'differs' | undefined
  readonly type: (passphrase: string) => void
  readonly repeat: (again: string) => void
  /** True if the passphrase can be used. Otherwise its faults are shown from now on. */
  readonly handIn: () => boolean
  /** Clears it. */
  readonly clear: () => void
}

/** @param least characters: 12 if an attacker who finds the sealed data can try passphrases without a time limit */
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
