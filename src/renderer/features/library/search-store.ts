import { create } from 'zustand'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import { MAX_QUESTION } from '../../../shared/library/limits.ts'
import type { SearchAnswer } from '../../../shared/library/search.ts'
import { api } from '../../ui/api.ts'
import { asFailure } from '../../ui/failure.ts'
import { onServiceChange } from '../../ui/status-store.ts'

interface SearchState {
  readonly question: string
  /** Of the question, or of a former one until it is answered. */
  readonly answer: SearchAnswer | undefined
  readonly failure: Failure | undefined
  /** The search over everything else, where no list stands beside the room. */
  readonly open: boolean
}

const empty: SearchState = { question: '', answer: undefined, failure: undefined, open: false }

export const useSearch = create<SearchState>()(() => empty)

/** While the index is made, what is found grows. */
const AGAIN_MS = 400

let asking: AbortController | undefined
let again: ReturnType<typeof setTimeout> | undefined

/** The latest question is asked at once, and what was asked before is given up. */
export function ask(question: string): void {
  useSearch.setState({ question, failure: undefined, ...(question.trim() === '' && { answer: undefined }) })
  giveUp()
  if (question.trim() !== '') void fetchAnswer(question)
}

/** Has the core begin to read, so that it is done when something is asked. */
export function prepare(): void {
  api.library.search({ question: '', limit: 1 }).catch(() => undefined)
}

export function openSearch(): void {
  useSearch.setState({ open: true })
}

export function closeSearch(): void {
  useSearch.setState({ open: false })
}

function giveUp(): void {
  asking?.abort()
  clearTimeout(again)
}

async function fetchAnswer(question: string): Promise<void> {
  const own = new AbortController()
  asking = own
  try {
    const answer = await api.library.search(
      { question: question.slice(0, MAX_QUESTION) },
      { signal: own.signal },
    )
    if (own.signal.aborted) return
    useSearch.setState({ answer })
    if (answer.reading) again = setTimeout(() => void fetchAnswer(question), AGAIN_MS)
  } catch (thrown) {
    if (!own.signal.aborted) useSearch.setState({ failure: asFailure(thrown), answer: undefined })
  }
}

onServiceChange(() => {
  giveUp()
  useSearch.setState(empty)
})
