export function CreateSubscriptionSkeleton() {
  return (
    <div aria-busy className="grid max-w-3xl gap-6">
      <span className="skeleton h-28 rounded-md" />
      <span className="skeleton h-64 rounded-md" />
      <span className="skeleton h-28 rounded-md" />
    </div>
  );
}
