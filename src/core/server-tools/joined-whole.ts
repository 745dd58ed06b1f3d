import { SottoError } from '../../shared/errors.ts'
import { isJsonObject, tryParseJson, type JsonObject, type JsonValue } from '../../shared/strict-json.ts'
import { readStep, type ChatStep } from '../gateway/answer/index.ts'
import { jsonObject } from '../gateway/dialect/read-request.ts'
import type { RelayAnswer } from '../gateway/relay/index.ts'
import type { RoundAnswer } from '../tools/index.ts'
import { PARAGRAPH, type JoinedAnswerOptions } from './joined-stream.ts'
import { RoundCalls } from './round-calls.ts'

/** Joins answers in one piece to one chat completion. */
export class JoinedWhole {
  readonly #options: JoinedAnswerOptions
  readonly #texts: string[] = []
  #rounds = 0
  #last: { readonly answer: JsonObject; readonly forCaller: JsonObject[] } | undefined

  constructor(options: JoinedAnswerOptions) {
    this.#options = options
  }

  /** @throws {SottoError} service/interrupted, service/response-invalid; and the errors of the body */
  async read(answer: RelayAnswer): Promise<RoundAnswer> {
    const { id, isServerTool, sums } = this.#options
    const calls = new RoundCalls(isServerTool, `call_${id}_${String(this.#rounds)}_`)
    let step: ChatStep | undefined
    let text = ''
    for await (const piece of answer.body) {
      text += piece.text
      for (const event of piece.events) if (event !== 'waiting') step ??= event
    }
    const json = jsonObject.safeParse(tryParseJson(text)).data
    if (!step || !json) throw new SottoError('service/interrupted')
    calls.read(step.calls)
    calls.end()
    sums.add(step.usage, answer.receipt())
    this.#rounds += 1
    const areRunHere = calls.areRunHere && step.finishReason !== 'length'
    this.#last = { answer: json, forCaller: calls.forCaller }
    if (areRunHere && step.text !== '') this.#texts.push(step.text)
    return { text: step.text, calls: areRunHere ? calls.requested : [] }
  }

  /** Passes the last request's answer on, with the texts and the sums of all requests. */
  async finish(): Promise<void> {
    if (!this.#last) throw new SottoError('service/interrupted')
    const { usage, usageJson, annotations } = this.#options.sums
    const { answer, forCaller } = this.#last
    const { choices, usage: _, ...members } = answer
    const joined: JsonObject = {
      ...members,
      choices: Array.isArray(choices)
        ? choices.map((choice) =>
            isJsonObject(choice) ? this.#joinChoice(choice, forCaller, annotations) : choice,
          )
        : [],
      ...(usageJson && { usage: usageJson }),
    }
    const step = readStep(joined)
    await this.#options.emit({
      text: JSON.stringify(joined),
      events: step ? [{ ...step, usage }] : [],
      done: true,
    })
  }

  #joinChoice(choice: JsonObject, forCaller: JsonObject[], annotations: JsonObject[]): JsonObject {
    const { message } = choice
    if (!isJsonObject(message)) return choice
    const { tool_calls: _, content = null, annotations: reported, ...members } = message
    const all = [...(Array.isArray(reported) ? reported : []), ...annotations]
    return {
      ...choice,
      message: {
        ...members,
        content: this.#withEarlier(content),
        ...(forCaller.length > 0 && { tool_calls: forCaller }),
        ...(all.length > 0 && { annotations: all }),
      },
    }
  }

  #withEarlier(content: JsonValue): JsonValue {
    const earlier = this.#texts.join(PARAGRAPH)
    if (earlier === '') return content
    if (Array.isArray(content)) return [{ type: 'text', text: `${earlier}${PARAGRAPH}` }, ...content]
    return typeof content === 'string' && content !== '' ? `${earlier}${PARAGRAPH}${content}` : earlier
  }
}
