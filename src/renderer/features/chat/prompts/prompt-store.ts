import { create } from 'zustand'
import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import type { Prompt } from '../../../../shared/prompt.ts'
import { api } from '../../../ui/api.ts'
import { asFailure } from '../../../ui/failure.ts'
import { onServiceChange, sameService } from '../../../ui/status-store.ts'

interface PromptState {
  /** By name; undefined until fetched. */
  readonly prompts: readonly Prompt[] | undefined
  readonly failure: Failure | undefined
  readonly library: boolean
  /** A prompt whose variables are being filled in, and how to insert it. */
  readonly filling: Filling | undefined
}

export interface Filling {
  readonly name: string
  readonly text: string
  readonly insert: (text: string) => void
}

export const usePrompts = create<PromptState>()(() => ({
  prompts: undefined,
  failure: undefined,
  library: false,
  filling: undefined,
}))

onServiceChange(() =>
  usePrompts.setState({ prompts: undefined, failure: undefined, library: false, filling: undefined }),
)

function byName(prompts: readonly Prompt[]): readonly Prompt[] {
  return prompts.toSorted((a, b) => a.name.localeCompare(b.name))
}

export async function loadPrompts(): Promise<void> {
  const still = sameService()
  await noting(async () => {
    const prompts = byName(await api.prompts.list())
    if (still()) usePrompts.setState({ prompts })
  })
}

/** Shows a failure in the library. True if `work` succeeded. */
async function noting(work: () => Promise<void>): Promise<boolean> {
  const still = sameService()
  usePrompts.setState({ failure: undefined })
  try {
    await work()
    return true
  } catch (thrown) {
    if (still()) usePrompts.setState({ failure: asFailure(thrown) })
    return false
  }
}

/** Throws what the call throws. */
export async function savePrompt(prompt: {
  readonly promptId?: string
  readonly name: string
  readonly text: string
}): Promise<void> {
  const still = sameService()
  const saved = await api.prompts.save(prompt)
  if (still())
    usePrompts.setState(({ prompts = [] }) => ({
      prompts: byName([...prompts.filter(({ id }) => id !== saved.id), saved]),
    }))
}

export function removePrompt(promptId: string): Promise<boolean> {
  return noting(async () => {
    await api.prompts.remove({ promptId })
    usePrompts.setState(({ prompts }) => ({ prompts: prompts?.filter(({ id }) => id !== promptId) }))
  })
}

/** Throws what the call throws. */
export async function importPrompts(
  prompts: { name: string; text: string }[],
): Promise<{ added: number; known: number }> {
  const outcome = await api.prompts.importItems({ prompts })
  await loadPrompts()
  return outcome
}

export function showPromptLibrary(library: boolean): void {
  usePrompts.setState({ library })
  if (library) void loadPrompts()
}
