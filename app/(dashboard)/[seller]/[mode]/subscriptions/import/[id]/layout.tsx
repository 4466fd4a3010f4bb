import { messagesLayout } from "#components/shell/client-messages.tsx";

export default messagesLayout("imports/one");
