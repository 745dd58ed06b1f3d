import { useRef, useState, type RefObject } from 'react'

interface CheckedDraft<Draft, Read extends { readonly faults?: object | undefined }> {
  /** For the element of the form. */
  readonly form: RefObject<HTMLFormElement | null>
  readonly draft: Draft
  /** @param changed has the names of the changed fields, if they aren't those of `change` */
  readonly set: (change: Partial<Draft>, changed?: object) => void
  /** Those that the last check found, until their fields change. */
  readonly faults: Partial<NonNullable<Read['faults']>>
  /** Reads the draft. If it has faults, shows them and moves the focus to the first faulty field. */
  readonly check: () => Read
  /** Shows another draft, without faults. */
  readonly reset: (draft: Draft) => void
}

const unchecked: { readonly names: readonly string[]; readonly at: number } = { names: [], at: 0 }

/**
 * The draft of a form that is checked when it's submitted. The state has only the names of the faulty fields, so that a
 * change of language changes their sentences.
 * @param read the content of a draft, or its faults by field. `now` in Unix ms
 */
export function useDraft<Draft extends object, Read extends { readonly faults?: object | undefined }>(
  initial: Draft,
  read: (draft: Draft, now: number) => Read,
): CheckedDraft<Draft, Read> {
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState(initial)
  const [faulty, setFaulty] = useState(unchecked)
  const found = faulty.names.length > 0 ? read(draft, faulty.at).faults : undefined
  return {
    form,
    draft,
    set(change, changed = change) {
      setDraft((before) => ({ ...before, ...change }))
      setFaulty(({ names, at }) => ({ names: names.filter((name) => !(name in changed)), at }))
    },
    faults: found ? only(found, faulty.names) : {},
    check() {
      const at = Date.now()
      const checked = read(draft, at)
      setFaulty({ names: Object.keys(checked.faults ?? {}), at })
      // Wait until the page shows the faults.
      if (checked.faults)
        requestAnimationFrame(() =>
          form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(),
        )
      return checked
    },
    reset(next) {
      setDraft(next)
      setFaulty(unchecked)
    },
  }
}

function only<Faults extends object>(faults: Faults, names: readonly string[]): Partial<Faults> {
  const shown: Partial<Faults> = {}
  for (const name in faults) if (names.includes(name)) shown[name] = faults[name]
  return shown
}
