import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { DEFAULT_SEARCH_RESULTS, MAX_SEARCH_RESULTS } from '../../../shared/answer-parts.ts'
import { isPrivateModel } from '../../../shared/privacy.ts'
import { Button } from '../../ui/button.tsx'
import { formatPrice } from '../../ui/format/money.ts'
import { SliderField } from '../../ui/slider-field.tsx'
import { Switch } from '../../ui/switch.tsx'
import { setSearch, useChat } from './chat-store.ts'
import { showPicker } from './picker-store.ts'

interface ChoiceProps {
  draft: string
  /** The models that will reply. */
  models: readonly string[]
  /** The conversation is private. */
  isPrivateChat: boolean
  onDone: () => void
}

/** The switch, the number of results and the cost, or the reason why this model doesn't search. */
export function WebSearchChoice({ draft, models, isPrivateChat, onDone }: ChoiceProps) {
  const search = useChat((state) => state.searches[draft])
  const readable = models.filter((id) => !isPrivateModel(id))
  if (readable.length === 0) return <Refused isPrivateChat={isPrivateChat} onDone={onDone} />
  const on = search !== undefined
  return (
    <>
      <Switch
        label={t`Search the web first`}
        on={on}
        onTurn={() => setSearch(draft, on ? undefined : { maxResults: DEFAULT_SEARCH_RESULTS })}
      />
      <Results draft={draft} maxResults={search?.maxResults ?? DEFAULT_SEARCH_RESULTS} disabled={!on} />
      <p>
        <SearchPrice models={readable} />
      </p>
      <p>
        <Trans>
          Your message is sent to a search engine, and the results are added before your text. Search stays on
          until you turn it off.
        </Trans>
      </p>
      {isPrivateChat && (
        <p role="note">
          <Trans>This chat is private. Before any search, you see what would be exposed and decide.</Trans>
        </p>
      )}
      {readable.length < models.length && (
        <p role="note">
          <Trans>The private models in this comparison don’t search.</Trans>
        </p>
      )}
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
    <SliderField
      label={t`Number of results`}
      min={1}
      max={MAX_SEARCH_RESULTS}
      step={1}
      value={text}
      disabled={disabled}
      onChange={write}
      hint={t`More results use more tokens.`}
      fault={isCount(text) ? undefined : t`Enter a number from 1 to ${most}.`}
    />
  )
}

function isCount(text: string): boolean {
  return /^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_SEARCH_RESULTS
}

function SearchPrice({ models }: { models: readonly string[] }) {
  const listing = useChat((state) => state.models)
  const prices = models.map((id) => listing?.find((model) => model.id === id)?.webSearch)
  if (prices.some((price) => price === undefined || price.startsWith('-')))
    return t`The service doesn’t report a price for searches.`
  const sum = formatPrice(String(prices.reduce((total, price) => total + BigInt(price ?? 0), 0n)))
  return t`A search costs ${sum}, plus tokens for its results.`
}

function Refused({ isPrivateChat, onDone }: { isPrivateChat: boolean; onDone: () => void }) {
  const choose = () => {
    onDone()
    showPicker({ only: 'readable' })
  }
  return (
    <>
      <Switch label={t`Search the web first`} on={false} onTurn={() => undefined} disabled />
      <p role="note">
        <Trans>Private models don’t search, because a search engine would read your message.</Trans>
      </p>
      {isPrivateChat && (
        <p>
          <Trans>
            You can search once with a non-private model. Before anything is sent, you see what would be
            exposed and decide.
          </Trans>
        </p>
      )}
      <Button onClick={choose}>
        <Trans>Choose a non-private model…</Trans>
      </Button>
    </>
  )
}
