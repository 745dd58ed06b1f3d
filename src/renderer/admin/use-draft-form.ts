import { useRef, useState, type RefObject, type SyntheticEvent } from 'react'
import { useScope } from '../data/service-scope.tsx'
import type { Failure } from '../../shared/contract/sotto-contract.ts'
import { useAction } from '../ui/use-action.ts'
import { refreshTeam } from './team-answers.ts'

interface DraftForm<Draft> {
  readonly form: RefObject<HTMLFormElement | null>
  readonly draft: Draft
  readonly set: (change: Partial<Draft>) => void
  readonly submit: (event: SyntheticEvent) => void
  readonly busy: boolean
  readonly failure: Failure | undefined
}

/**
 * A form that is checked when it's saved. After a fault, the first faulty field has the focus.
 * @param save saves the draft, and answers whether it had no faults. The form shows what it throws
 */
export function useDraftForm<Draft>(
  initial: Draft,
  save: (draft: Draft) => Promise<boolean>,
  close: () => void,
): DraftForm<Draft> {
  const scope = useScope()
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState(initial)
  const { run, busy, failure } = useAction(async () => {
    if (await save(draft)) {
      await refreshTeam(scope)
      close()
      return
    }
    // Wait until the page shows the faults.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  })
  return {
    form,
    draft,
    set: (change) => setDraft((before) => ({ ...before, ...change })),
    submit: (event) => {
      event.preventDefault()
      void run()
    },
    busy,
    failure,
  }
}
