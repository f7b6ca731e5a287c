// opencode loads this as a plugin. It reports events of the main session; sessions of subagents
// (those with a parent) say nothing about what the person sees.
import { send } from "./send.mjs";

const EVENTS = new Set([
	"permission.asked",
	"permission.replied",
	"session.created",
	"session.error",
	"session.idle",
	"session.status",
]);

export const WebtmuxPlugin = async ({ directory }) => {
	const children = new Set();
	const report = (event, sessionID, payload) => {
		if (!children.has(sessionID)) send("opencode", event, { ...payload, sessionID, directory });
	};
	return {
		event: async ({ event }) => {
			const properties = event.properties ?? {};
			const info = properties.info ?? {};
			if (event.type === "session.created" && info.parentID) children.add(info.id);
			if (EVENTS.has(event.type)) {
				report(event.type, properties.sessionID ?? info.id ?? "", properties);
			}
		},
		"chat.message": async (input, output) => {
			const texts = output.parts.filter((part) => part.type === "text" && !part.synthetic);
			const text = texts.map((part) => part.text).join("");
			report("chat.message", input.sessionID, { messageID: output.message?.id, text });
		},
		"tool.execute.before": async (input, output) => {
			const { tool, callID } = input;
			report("tool.execute.before", input.sessionID, { tool, callID, args: output.args });
		},
		"tool.execute.after": async (input) => {
			report("tool.execute.after", input.sessionID, { tool: input.tool, callID: input.callID });
		},
	};
};
