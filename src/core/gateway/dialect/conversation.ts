import type { JsonObject } from '../../../shared/strict-json.ts'
import type { Reasoning } from '../answer/index.ts'

interface AssistantTurn {
  text: string
  refusal: string
  reasoning: Reasoning[]
  calls: JsonObject[]
}

/**
 * Builds the messages of a chat completion from the items of another dialect, in their order. The items of
 * one assistant turn become one message, because a tool's result must follow the message that contains its
 * call.
 */
export class Conversation {
  readonly #messages: JsonObject[] = []
  /**
   * The system message in progress. Consecutive ones are joined, because many chat templates accept only one.
   */
  #system: string[] = []
  #turn: AssistantTurn | null = null
  /**
   * Pictures of tool results. A tool's message is text, so the pictures follow the last result of the turn,
   * as a user message.
   */
  #pictures: JsonObject[] = []

  system(text: string): void {
    this.#endTurn()
    this.#endResults()
    if (text !== '') this.#system.push(text)
  }

  /** @param parts `content` parts of a chat message */
  user(parts: readonly JsonObject[]): void {
    this.#endAll()
    const [only] = parts
    const text = parts.length === 1 && only?.['type'] === 'text' ? only['text'] : undefined
    this.#messages.push({ role: 'user', content: text ?? [...parts] })
  }

  text(text: string): void {
    this.#assistant().text += text
  }

  refusal(text: string): void {
    this.#assistant().refusal += text
  }

  reasoning(reasoning: Reasoning): void {
    if (reasoning.text !== '') this.#assistant().reasoning.push(reasoning)
  }

  /** @param json the arguments, as JSON text */
  call(id: string, name: string, json: string): void {
    this.#assistant().calls.push({ id, type: 'function', function: { name, arguments: json } })
  }

  /** @param pictures `content` parts that aren't text */
  result(callId: string, text: string, pictures: readonly JsonObject[] = []): void {
    this.#endTurn()
    this.#endSystem()
    const note =
      pictures.length > 0
        ? 'What this tool returned beside its text follows in the next message of the user.'
        : ''
    this.#messages.push({
      role: 'tool',
      tool_call_id: callId,
      content: [text, note].filter(Boolean).join('\n'),
    })
    if (pictures.length > 0)
      this.#pictures.push({ type: 'text', text: `The tool call ${callId} returned:` }, ...pictures)
  }

  /** Returns the messages. Call it after the last item. */
  done(): JsonObject[] {
    this.#endAll()
    return this.#messages
  }

  get endsWithAssistant(): boolean {
    return this.#turn !== null
  }

  #assistant(): AssistantTurn {
    if (!this.#turn) {
      this.#endResults()
      this.#endSystem()
      this.#turn = { text: '', refusal: '', reasoning: [], calls: [] }
    }
    return this.#turn
  }

  #endAll(): void {
    this.#endTurn()
    this.#endResults()
    this.#endSystem()
  }

  #endTurn(): void {
    if (!this.#turn) return
    const { text, refusal, reasoning, calls } = this.#turn
    this.#turn = null
    const [first] = reasoning
    this.#messages.push({
      role: 'assistant',
      content: text === '' && (calls.length > 0 || refusal !== '') ? null : text,
      ...(refusal !== '' && { refusal }),
      ...(first && { [first.member]: reasoning.map((part) => part.text).join('\n') }),
      ...(calls.length > 0 && { tool_calls: calls }),
    })
  }

  #endResults(): void {
    if (this.#pictures.length === 0) return
    this.#messages.push({ role: 'user', content: this.#pictures })
    this.#pictures = []
  }

  #endSystem(): void {
    if (this.#system.length === 0) return
    this.#messages.push({ role: 'system', content: this.#system.join('\n\n') })
    this.#system = []
  }
}
