// pi loads this as an extension.
import { send } from "./send.mjs";

function lastReply(messages) {
	const replies = (messages ?? []).filter((message) => message.role === "assistant");
	const { content, stopReason, errorMessage } = replies.at(-1) ?? {};
	const parts = Array.isArray(content) ? content.filter((part) => part.type === "text") : [];
	return { text: parts.map((part) => part.text).join(""), stopReason, errorMessage };
}

export default function webtmux(pi) {
	const report = (event, ctx, payload) => {
		let session = {};
		try {
			const file = ctx.sessionManager.getSessionFile();
			session = { sessionId: ctx.sessionManager.getSessionId(), transcriptPath: file ?? "" };
		} catch {
			// An older pi.
		}
		send("pi", event, { ...payload, ...session, cwd: ctx.cwd });
	};
	pi.on("session_start", (event, ctx) => report("session_start", ctx, { reason: event.reason }));
	pi.on("session_shutdown", (_event, ctx) => report("session_shutdown", ctx, {}));
	pi.on("input", (event, ctx) => {
		report("input", ctx, { text: event.text, source: event.source });
	});
	pi.on("agent_start", (_event, ctx) => report("agent_start", ctx, {}));
	pi.on("agent_end", (event, ctx) => report("agent_end", ctx, lastReply(event.messages)));
	pi.on("tool_execution_start", (event, ctx) => {
		const { toolName, toolCallId, args } = event;
		report("tool_execution_start", ctx, { toolName, toolCallId, args });
	});
	pi.on("tool_execution_end", (event, ctx) => {
		const { toolName, toolCallId, isError } = event;
		report("tool_execution_end", ctx, { toolName, toolCallId, isError });
	});
}
