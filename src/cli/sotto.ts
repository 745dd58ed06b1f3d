#!/usr/bin/env -S node --disable-sigusr1
import { keepInspectorClosed } from '../host/inspector-guard.ts'
import { keepCompiledCode } from './compile-cache.ts'

/** The entry of the installed command. */
keepInspectorClosed()
keepCompiledCode()
await import('./index.ts')
