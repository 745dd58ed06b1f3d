import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { DEFAULT_SEARCH_RESULTS, MAX_SEARCH_RESULTS } from '../../../shared/answer-parts.ts'
import { isPrivateModel } from '../../../shared/privacy.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { formatUsd } from '../../ui/format/money.ts'
import { Switch } from '../../ui/switch.tsx'
import { setSearch, useChat } from './chat-store.ts'
import { openPicker } from './picker-store.ts'

interface ChoiceProps {
  draft: string
  /** Those that are to answer. */
  models: readonly string[]
  /** The conversation is private. */
  kept: boolean
  onDone: () => void
}

/** The switch, the number of results and what it costs; or why this model does not search. */
export function WebSearchChoice({ draft, models, kept, onDone }: ChoiceProps) {
  const search = useChat((state) => state.searches[draft])
  const readable = models.filter((id) => !isPrivateModel(id))
  if (readable.length === 0) return <Refused kept={kept} onDone={onDone} />
  const on = search !== undefined
  return (
    <>
      <Switch label={t`Search the web first`} on={on} onTurn={() => setSearch(draft, on ? undefined : { maxResults: DEFAULT_SEARCH_RESULTS })} />
      <Results draft={draft} maxResults={search?.maxResults ?? DEFAULT_SEARCH_RESULTS} disabled={!on} />
      <p><SearchPrice models={readable} /></p>
      <p><Trans>What you write is sent to a search engine, and what it finds is put before your words. It stays on until you turn it off.</Trans></p>
      {kept && <p role="note"><Trans>This conversation is private. You are shown what would be exposed, and asked, before anything is searched.</Trans></p>}
      {readable.length < models.length && <p role="note"><Trans>The private models among those you compare do not search.</Trans></p>}
    </>
  )
}

function Results({ draft, maxResults, disabled }: { draft: string; maxResults: number; disabled: boolean }) {
  const [text, setText] = useState(String(maxResults))
  const write = (next: string) => {
    setText(next)
    if (isCount(next)) setSearch(draft, { maxResults: Number(next) })
  }
  const most = MAX_SEARCH_RESULTS
  return (
    <Field
      label={t`Number of results`} type="number" min={1} max={MAX_SEARCH_RESULTS} step={1} value={text} disabled={disabled} onChange={(event) => write(event.target.value)}
      hint={t`More results are read as more tokens.`} fault={isCount(text) ? undefined : t`A number from 1 to ${most}.`}
    />
  )
}

function isCount(text: string): boolean {
  return /^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_SEARCH_RESULTS
}

function SearchPrice({ models }: { models: readonly string[] }) {
  const listing = useChat((state) => state.models)
  const prices = models.map((id) => listing?.find((model) => model.id === id)?.webSearch)
  if (prices.some((price) => price === undefined || price.startsWith('-'))) return t`The service gives no price for a search.`
  const sum = formatUsd(String(prices.reduce((total, price) => total + BigInt(price ?? 0), 0n)))
  return t`A search costs ${sum}, and the tokens of what it finds.`
}

function Refused({ kept, onDone }: { kept: boolean; onDone: () => void }) {
  const choose = () => {
    onDone()
    openPicker({ only: 'readable' })
  }
  return (
    <>
      <Switch label={t`Search the web first`} on={false} onTurn={() => undefined} disabled />
      <p role="note"><Trans>A private model does not search: what you write would reach a search engine in the open.</Trans></p>
      {kept && <p><Trans>A model that the service can read could search once. You are shown what of this conversation would be exposed, and asked, before anything leaves.</Trans></p>}
      <Button onClick={choose}><Trans>Choose a model that can search…</Trans></Button>
    </>
  )
}
