import { CreateSubscriptionSkeleton } from "#components/subscriptions/create/create-subscription-skeleton.tsx";

export default CreateSubscriptionSkeleton;
