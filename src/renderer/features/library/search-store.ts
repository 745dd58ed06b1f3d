import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import { MAX_QUESTION } from '../../../shared/library/limits.ts'
import type { SearchAnswer } from '../../../shared/library/search.ts'
import { currentScope, type Scope } from '../../data/service-scope.tsx'
import { setScopedState, useScopedPart, type ScopedState } from '../../data/use-answer.ts'
import { api } from '../../ui/api.ts'
import { asFailure } from '../../ui/failure.ts'

interface SearchState {
  readonly question: string
  /** For the current question, or for the former one until the current one is answered. */
  readonly answer: SearchAnswer | undefined
  readonly failure: Failure | undefined
  /** Whether the search dialog is open. It is used when no conversation list is visible. */
  readonly open: boolean
}

const search: ScopedState<SearchState> = {
  key: ['search'],
  initial: { question: '', answer: undefined, failure: undefined, open: false },
}

export function useSearch<Part>(select: (state: SearchState) => Part): Part {
  return useScopedPart(search, select)
}

function put(scope: Scope, change: Partial<SearchState>): void {
  setScopedState(scope, search, (before) => ({ ...before, ...change }))
}

/** While the core builds the index, the search runs again after this time, because it may find more. */
const AGAIN_MS = 400

let asking: AbortController | undefined
let again: ReturnType<typeof setTimeout> | undefined

/** Asks the latest question at once, and cancels the one before it. */
export function ask(question: string): void {
  const scope = currentScope()
  asking?.abort()
  clearTimeout(again)
  const isEmpty = question.trim() === ''
  put(scope, { question, failure: undefined, ...(isEmpty && { answer: undefined }) })
  if (!isEmpty) void fetchAnswer(scope, question)
}

/** Has the core start to build the index, so that the first search finds it ready. */
export function prepare(): void {
  api.library.search({ question: '', limit: 1 }).catch(() => undefined)
}

export function showSearch(): void {
  put(currentScope(), { open: true })
}

export function closeSearch(): void {
  put(currentScope(), { open: false })
}

async function fetchAnswer(scope: Scope, question: string): Promise<void> {
  // The index belongs to the current service, so another one can't answer this question.
  if (scope !== currentScope()) return
  const controller = new AbortController()
  asking = controller
  try {
    const answer = await api.library.search(
      { question: question.slice(0, MAX_QUESTION) },
      { signal: controller.signal },
    )
    if (controller.signal.aborted) return
    put(scope, { answer })
    if (answer.reading) again = setTimeout(() => void fetchAnswer(scope, question), AGAIN_MS)
  } catch (thrown) {
    if (!controller.signal.aborted) put(scope, { failure: asFailure(thrown), answer: undefined })
  }
}
