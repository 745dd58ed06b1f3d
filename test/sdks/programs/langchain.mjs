import { ChatAnthropic } from '@langchain/anthropic'
import { HumanMessage, ToolMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai'
import {
  baseUrl,
  city,
  embeddingModel,
  getWeather,
  key,
  model,
  question,
  report,
  toolRequest,
  way,
} from './task.mjs'

const configuration = { baseURL: baseUrl }
const chat =
  way === 'anthropic'
    ? new ChatAnthropic({ model, apiKey: key, anthropicApiUrl: baseUrl, maxRetries: 0 })
    : new ChatOpenAI({
        model,
        apiKey: key,
        configuration,
        maxRetries: 0,
        ...(way === 'responses' && { useResponsesApi: true }),
      })

const whole = await chat.invoke(question)
let streamed = ''
for await (const piece of await chat.stream(question)) streamed += piece.text

const weather = tool(getWeather, { name: 'get_weather', description: 'Weather of a city', schema: city })
const withTools = chat.bindTools([weather])
const messages = [new HumanMessage(toolRequest)]
const first = await withTools.invoke(messages)
messages.push(first)
for (const call of first.tool_calls)
  messages.push(new ToolMessage({ tool_call_id: call.id, content: await weather.invoke(call.args) }))
const afterTool = await withTools.invoke(messages)
const secondTurn = await withTools.invoke([...messages, afterTool, new HumanMessage(question)])

const structured =
  way === 'anthropic'
    ? undefined
    : await chat.withStructuredOutput({ title: 'place', ...city }, { method: 'jsonSchema' }).invoke(question)
const vectors =
  way === 'anthropic'
    ? undefined
    : (
        await new OpenAIEmbeddings({
          model: embeddingModel,
          apiKey: key,
          configuration,
          maxRetries: 0,
        }).embedDocuments(['a', 'b'])
      ).map((vector) => vector.length)
report({
  whole: whole.text,
  streamed,
  afterTool: afterTool.text,
  secondTurn: secondTurn.text,
  structured,
  vectors,
})
